#include "search/ktree/k_astar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>

#include "search/ktree/feasible_sets.hpp"
#include "search/ktree/future_components.hpp"
#include "search/ktree/k_greedy.hpp"
#include "search/ktree/optimistic_bound.hpp"

namespace treebound {
namespace {

constexpr EntryId kNoEntry = std::numeric_limits<EntryId>::max();
constexpr int kNumTrials = 8;
constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

/// 128 bits, so that two different states share a key with a probability that nobody will see.
struct StateKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const StateKey&) const = default;

  void add(std::uint64_t item) {
    RandomStream bits(item, 0);
    low += bits.next();
    high += bits.next();
  }
};

struct StateKeyHash {
  std::size_t operator()(const StateKey& key) const { return key.low; }
};

class KAStar final : public Constructor {
 public:
  KAStar(const SearchProblem& problem, const Partners& partners, const KAStarOptions& options,
         const OrderPlan& orders)
      : problem_(problem),
        options_(options),
        orders_(problem, orders),
        greedy_(problem, partners, options.policy),
        trials_{GreedyDecoder(problem, partners, CliquePolicy::kRandom),
                GreedyDecoder(problem, partners, CliquePolicy::kRandom)},
        chooser_(partners, options.policy),
        tree_(problem.num_variables(), problem.width()),
        feasible_(problem),
        bound_(problem, tree_, feasible_, options.has_tight_bound),
        components_(problem.num_variables()),
        chosen_(problem.num_variables()) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    find_incumbent(orders_.next(step, random, context), random);
    begin();
    const Proof proof = search(step, context);
    if (proof == Proof::kBeaten) return proof;
    finish(proof, random);
    proof_ = problem_.width() < kMaxExactRoot ? proof : Proof::kNone;
    return proof_;
  }
  double score() const override { return score_; }
  void write(Found& found) const override {
    write_structure(problem_, is_greedy_best_ ? incumbent_->tree() : tree_,
                    is_greedy_best_ ? incumbent_->chosen() : chosen_, found);
    found.statistics = {{"is_optimal_for_order", proof_ == Proof::kOptimal}};
  }

 private:
  struct Node {
    double bound;  // what any completion can reach
    double sum;    // chosen and optimistic scores: the bound before conflicts are counted
    std::uint32_t parent;
    std::uint32_t num_inserted;
    EntryId entry;
    bool is_refined;  // conflicts have been counted
  };
  struct Successor {
    EntryId entry;
    VariableId holder;        // the separator is C(holder) ...
    VariableId dropped;       // ... without this member
    std::uint32_t first;      // useful_[first..first+size), ascending: the members of the separator that
    std::uint32_t size;       // later variables may need beside the variable
    std::uint64_t signature;  // one bit for each of them, which several may share
  };

  std::span<const VariableId> order() const { return incumbent_->tree().order(); }
  std::span<const VariableId> to_come(std::uint32_t node) const {
    return order().subspan(nodes_[node].num_inserted);
  }
  std::size_t root_size() const { return problem_.width() + 1; }
  std::span<const VariableId> separator(std::uint32_t node) const {
    return {separators_.data() + std::size_t{node} * problem_.width(), problem_.width()};
  }

  auto worse() const {
    return [this](std::uint32_t a, std::uint32_t b) {
      const Node &first = nodes_[a], &second = nodes_[b];
      if (first.bound != second.bound) return first.bound < second.bound;
      if (first.num_inserted != second.num_inserted) return first.num_inserted < second.num_inserted;
      return a > b;
    };
  }

  void begin() {
    nodes_.clear();
    separators_.clear();
    open_.clear();
    best_sums_.clear();
    feasible_.reset(order());
    tree_.start(order().first(root_size()));
    double bound = 0;
    for (const VariableId v : order().first(root_size())) {
      chosen_[v] = incumbent_->chosen()[v];
      bound += problem_.score(chosen_[v]);
    }
    bound_.update(order().subspan(root_size()));
    for (const VariableId v : order().subspan(root_size())) bound += problem_.score(bound_.optimistic_set(v));
    floor_ = -std::numeric_limits<double>::infinity();
    if (options_.has_incumbent) {
      floor_ = incumbent_->score();
      drop_beaten_sets(bound - floor_ + rounding(bound));
    }
    if (options_.has_dominance) feasible_.write_future_components(future_components_);
    add_node({bound, bound, kNoNode, static_cast<std::uint32_t>(root_size()), kNoEntry, false},
             std::vector<VariableId>(problem_.width()));
  }

  // Sets that cannot be part of a better answer. Conflicts that do not involve v are lost whatever v takes.
  void drop_beaten_sets(double slack) {
    if (options_.has_conflicts) slack -= bound_.count_conflicts(order().subspan(root_size()));
    for (const VariableId v : order().subspan(root_size())) {
      const double share = options_.has_conflicts ? bound_.share_of_conflicts(v) : 0;
      feasible_.drop_below(v, problem_.score(bound_.optimistic_set(v)) - slack - share);
    }
  }

  // k-G costs nothing beside A*, and a better incumbent leaves fewer feasible sets, so random cliques are
  // tried too.
  void find_incumbent(std::span<const VariableId> order, RandomStream& random) {
    greedy_.decode(order, random);
    incumbent_ = &greedy_;
    if (!options_.has_incumbent) return;
    for (int i = 0; i < kNumTrials; ++i) {
      GreedyDecoder& trial = incumbent_ == &trials_[0] ? trials_[1] : trials_[0];
      trial.decode(order, random);
      if (trial.score() > incumbent_->score()) incumbent_ = &trial;
    }
  }

  /// More than additions in another sequence can differ by.
  static double rounding(double total) { return 1e-9 * (1 + std::abs(total)); }

  /// Sum of the scores is done by the caller; this decides how far the search gets.
  Proof search(std::uint64_t step, const SearchContext& context) {
    while (!open_.empty()) {
      const std::uint32_t node = open_.front();
      if (nodes_[node].bound <= floor_) return Proof::kOptimal;
      if (options_.skips_beaten && context.is_beaten(nodes_[node].bound + rounding(nodes_[node].bound), step))
        return Proof::kBeaten;
      if (nodes_[node].num_inserted == order().size()) return Proof::kOptimal;
      if (nodes_.size() >= options_.max_nodes || context.should_stop()) return Proof::kNone;
      std::pop_heap(open_.begin(), open_.end(), worse());
      open_.pop_back();
      restore(node);
      if (!bound_.update(to_come(node))) continue;
      if (options_.has_conflicts && !nodes_[node].is_refined && is_put_back(node)) continue;
      expand(node);
    }
    return Proof::kOptimal;
  }

  /// Counts the conflicts of a state, and puts it back unless it is still the first one.
  bool is_put_back(std::uint32_t id) {
    Node& node = nodes_[id];
    node.is_refined = true;
    node.bound = std::min(node.bound, node.sum - bound_.count_conflicts(to_come(id)));
    if (!(node.bound > floor_)) return true;
    if (open_.empty() || node.bound >= nodes_[open_.front()].bound) return false;
    open_.push_back(id);
    std::push_heap(open_.begin(), open_.end(), worse());
    return true;
  }

  /// Takes the first open state, completed greedily where it is not complete, or k-G if that is better.
  void finish(Proof proof, RandomStream& random) {
    is_greedy_best_ = true;
    score_ = incumbent_->score();
    if (open_.empty() || (proof == Proof::kOptimal && nodes_[open_.front()].bound <= floor_)) return;
    restore(open_.front());
    for (const VariableId v : order().subspan(tree_.order().size())) {
      chosen_[v] = first_that_fits(problem_, tree_, v);
      chooser_.insert(tree_, v, problem_.parents(chosen_[v]), random);
    }
    const double total = problem_.total_score(chosen_);
    if (total <= score_) return;
    is_greedy_best_ = false;
    score_ = total;
  }

  void add_node(const Node& node, std::span<const VariableId> separator) {
    separators_.insert(separators_.end(), separator.begin(), separator.end());
    nodes_.push_back(node);
    open_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
    std::push_heap(open_.begin(), open_.end(), worse());
  }

  void restore(std::uint32_t node) {
    path_.clear();
    for (; nodes_[node].parent != kNoNode; node = nodes_[node].parent) path_.push_back(node);
    tree_.start(order().first(root_size()));
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
      const VariableId v = order()[nodes_[*step].num_inserted - 1];
      chosen_[v] = nodes_[*step].entry;
      tree_.insert(v, separator(*step));
    }
  }

  /// The tree and the optimistic sets must be those of the state.
  void expand(std::uint32_t id) {
    const Node node = nodes_[id];
    const VariableId v = order()[node.num_inserted];
    const double rest = node.sum - problem_.score(bound_.optimistic_set(v));
    StateKey key;
    if (options_.has_dominance) {
      key = common_key(node.num_inserted + 1);
      list_distinct_successors(v, floor_ - rest);
    } else {
      list_successors(v);
    }
    bound_.prepare_insertion(v, to_come(id).subspan(1));
    for (const Successor& successor : successors_) {
      write_separator(successor);
      const double sum = rest + problem_.score(successor.entry) - bound_.loss_after_insertion(v, separator_);
      const double bound = std::min(sum, node.bound);
      if (!(bound > floor_)) continue;
      if (options_.has_dominance && !is_best_of_its_kind(key, v, successor, sum)) continue;
      add_node({bound, sum, id, node.num_inserted + 1, successor.entry, false}, separator_);
    }
  }

  /// Components when the variables from `place` on are to come, and the key of the edges inside them.
  StateKey common_key(std::uint32_t place) {
    for (const VariableId u : order().first(place)) components_[u] = future_components_.component(u, place);
    StateKey key{place, place};
    for (const VariableId w : tree_.order())
      for (const VariableId u : tree_.separator(w))
        if (components_[u] == components_[w]) key.add(edge(w, u));
    return key;
  }

  std::uint64_t edge(VariableId w, VariableId u) const {
    return std::uint64_t{w} * problem_.num_variables() + u;
  }

  bool is_best_of_its_kind(StateKey key, VariableId v, const Successor& successor, double sum) {
    for (const VariableId u : useful(successor)) key.add(edge(v, u));
    const auto [place, is_new] = best_sums_.try_emplace(key, sum);
    if (!is_new && place->second >= sum) return false;
    place->second = sum;
    return true;
  }

  /// Members of C(w), w last.
  void write_clique(VariableId w) {
    clique_.assign(tree_.separator(w).begin(), tree_.separator(w).end());
    clique_.push_back(w);
  }

  void write_separator(const Successor& successor) {
    write_clique(successor.holder);
    separator_.clear();
    std::ranges::remove_copy(clique_, std::back_inserter(separator_), successor.dropped);
  }

  std::span<const VariableId> useful(const Successor& successor) const {
    return {useful_.data() + successor.first, successor.size};
  }

  /// First entry of v inside C(w) without one member, or kNoEntry.
  EntryId first_inside(VariableId v, VariableId w, VariableId dropped) const {
    for (const EntryId entry : feasible_.of(v))
      if (std::ranges::all_of(problem_.parents(entry),
                              [&](VariableId u) { return u != dropped && tree_.is_in_clique(u, w); }))
        return entry;
    return kNoEntry;
  }

  /// The variables that name the cliques: the last of the root, then all that were inserted after it.
  std::span<const VariableId> holders() const {
    return std::span<const VariableId>(tree_.order()).subspan(root_size() - 1);
  }

  // All k-cliques: the root without one member, and C(w) without one member other than w, since S(w) itself
  // lies in an earlier clique.
  void list_successors(VariableId v) {
    successors_.clear();
    for (const VariableId w : holders()) {
      write_clique(w);
      for (const VariableId dropped : clique_) {
        if (dropped == w && w != holders()[0]) continue;
        const EntryId entry = first_inside(v, w, dropped);
        if (entry != kNoEntry) successors_.push_back({entry, w, dropped, 0, 0, 0});
      }
    }
  }

  // The same without those that another one dominates, or whose score is not above the floor. If the best set
  // inside a clique and all that is useful in it leave a member over, leaving that one out is best.
  void list_distinct_successors(VariableId v, double score_floor) {
    successors_.clear();
    useful_.clear();
    for (const VariableId w : holders()) {
      write_clique(w);
      const EntryId best = first_inside(v, w, GrowingKTree::kNoVariable);
      if (best == kNoEntry || !(problem_.score(best) > score_floor)) continue;
      const auto parents = problem_.parents(best);
      const auto spare = std::ranges::find_if(clique_, [&](VariableId u) {
        return components_[u] != components_[v] && std::ranges::find(parents, u) == parents.end();
      });
      if (spare != clique_.end()) {
        add_if_distinct(v, {best, w, *spare, 0, 0, 0});
        continue;
      }
      for (const VariableId dropped : clique_) {
        if (dropped == w && w != holders()[0]) continue;
        const EntryId entry = first_inside(v, w, dropped);
        if (entry != kNoEntry && problem_.score(entry) > score_floor)
          add_if_distinct(v, {entry, w, dropped, 0, 0, 0});
      }
    }
  }

  // Entries of one variable are numbered best first. Most pairs differ in their bits.
  bool dominates(const Successor& a, const Successor& b) const {
    return (b.signature & ~a.signature) == 0 && a.entry <= b.entry &&
           std::ranges::includes(useful(a), useful(b));
  }

  void add_if_distinct(VariableId v, Successor successor) {
    successor.first = static_cast<std::uint32_t>(useful_.size());
    for (const VariableId u : clique_)
      if (u != successor.dropped && components_[u] == components_[v]) {
        useful_.push_back(u);
        successor.signature |= std::uint64_t{1} << u % 64;
      }
    successor.size = static_cast<std::uint32_t>(useful_.size()) - successor.first;
    std::sort(useful_.begin() + successor.first, useful_.end());
    if (std::ranges::any_of(successors_, [&](const Successor& s) { return dominates(s, successor); })) {
      useful_.resize(successor.first);
      return;
    }
    std::erase_if(successors_, [&](const Successor& s) { return dominates(successor, s); });
    successors_.push_back(successor);
  }

  const SearchProblem& problem_;
  const KAStarOptions& options_;
  OrderSource orders_;
  GreedyDecoder greedy_;
  std::array<GreedyDecoder, 2> trials_;
  const GreedyDecoder* incumbent_ = nullptr;
  CliqueChooser chooser_;
  GrowingKTree tree_;
  FeasibleSets feasible_;
  FutureComponents future_components_;
  double floor_ = 0;  // states must beat it
  std::vector<Node> nodes_;
  std::vector<VariableId> separators_;  // of the nodes, `width` each
  std::vector<std::uint32_t> open_;     // heap
  std::unordered_map<StateKey, double, StateKeyHash> best_sums_;
  OptimisticBound bound_;
  std::vector<VariableId> components_;
  std::vector<Successor> successors_;
  std::vector<VariableId> useful_, clique_, separator_;
  std::vector<std::uint32_t> path_;
  std::vector<EntryId> chosen_;
  Proof proof_ = Proof::kNone;
  bool is_greedy_best_ = true;
  double score_ = 0;
};

}  // namespace

Statistics search_k_astar(SearchTask& task, const KAStarOptions& options) {
  const SearchProblem& problem = task.problem;
  const OrderPlan orders(problem, options.orders, task.seed, options.policy != CliquePolicy::kRandom);
  const Partners partners(problem, options.policy);
  SearchPlan plan;
  plan.make_constructor = [&] { return std::make_unique<KAStar>(problem, partners, options, orders); };
  orders.limit(plan);
  const ProofCounts counts = run_search(plan, task);
  return {{"num_proved", counts.num_proved}, {"num_skipped", counts.num_skipped}};
}

}  // namespace treebound

#include "search/k_astar.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>

#include "search/future_links.hpp"
#include "search/k_greedy.hpp"

namespace treebound {
namespace {

constexpr EntryId kNoEntry = std::numeric_limits<EntryId>::max();
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

/// The lists of an order: for each variable behind the root, the entries that the order allows.
class OrderLists {
 public:
  explicit OrderLists(const SearchProblem& problem) : problem_(problem), lists_(problem.num_variables()) {}

  void reset(std::span<const VariableId> order) {
    order_ = order;
    places_.resize(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) places_[order[i]] = i;
    for (std::uint32_t i = problem_.width() + 1; i < order.size(); ++i) fill(order[i], i);
  }

  void drop_below(VariableId v, double score) {
    std::erase_if(lists_[v], [&](EntryId entry) { return problem_.score(entry) < score; });
  }

  const std::vector<EntryId>& of(VariableId v) const { return lists_[v]; }

  void link_futures(FutureLinks& links) const {
    links.reset(order_.size());
    for (auto i = static_cast<std::uint32_t>(order_.size()); i-- > problem_.width() + 1;)
      for (const EntryId entry : lists_[order_[i]])
        for (const VariableId u : problem_.parents(entry)) links.link(order_[i], u, i);
  }

 private:
  void fill(VariableId v, std::uint32_t place) {
    lists_[v].clear();
    for (EntryId entry = problem_.best_entry(v); entry <= problem_.empty_entry(v); ++entry)
      if (std::ranges::all_of(problem_.parents(entry), [&](VariableId u) { return places_[u] < place; }))
        lists_[v].push_back(entry);
  }

  const SearchProblem& problem_;
  std::span<const VariableId> order_;
  std::vector<std::uint32_t> places_;
  std::vector<std::vector<EntryId>> lists_;
};

class KAStar final : public Constructor {
 public:
  KAStar(const SearchProblem& problem, const KAStarOptions& options, const OrderPlan& orders)
      : problem_(problem),
        options_(options),
        orders_(problem, orders),
        greedy_(problem, options.policy),
        chooser_(problem, options.policy),
        tree_(problem.num_variables(), problem.width()),
        lists_(problem),
        wanted_(problem.num_variables()),
        components_(problem.num_variables()),
        chosen_(problem.num_variables()) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    greedy_.decode(orders_.next(step, random, context), random);
    begin();
    const Proof proof = search(step, context);
    if (proof == Proof::kBeaten) return proof;
    finish(proof, random);
    return problem_.width() < kMaxExactRoot ? proof : Proof::kNone;
  }
  double score() const override { return score_; }
  void write(FoundStructure& found) const override {
    write_structure(problem_, is_greedy_best_ ? greedy_.tree() : tree_,
                    is_greedy_best_ ? greedy_.chosen() : chosen_, found);
  }

 private:
  struct Node {
    double bound;
    std::uint32_t parent;
    std::uint32_t num_inserted;
    EntryId entry;
  };
  struct Successor {
    EntryId entry;
    std::vector<VariableId> separator;
    std::vector<VariableId> useful;  // members of the separator that the future may want beside the variable
  };

  std::span<const VariableId> order() const { return greedy_.tree().order(); }
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
    best_bounds_.clear();
    lists_.reset(order());
    tree_.start(order().first(root_size()));
    double bound = 0;
    for (const VariableId v : order().first(root_size())) {
      chosen_[v] = greedy_.chosen()[v];
      bound += problem_.score(chosen_[v]);
    }
    find_wanted(root_size());
    for (const VariableId v : order().subspan(root_size())) bound += problem_.score(wanted_[v]);
    floor_ = -std::numeric_limits<double>::infinity();
    if (options_.has_incumbent) {
      floor_ = greedy_.score();
      const double slack = bound - floor_;
      for (const VariableId v : order().subspan(root_size()))
        lists_.drop_below(v, problem_.score(wanted_[v]) - slack - rounding(bound));
    }
    if (options_.has_dominance) lists_.link_futures(links_);
    add_node({bound, kNoNode, static_cast<std::uint32_t>(root_size()), kNoEntry},
             std::vector<VariableId>(problem_.width()));
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
      expand(node);
    }
    return Proof::kOptimal;
  }

  /// Takes the first open state, completed greedily where it is not complete, or k-G if that is better.
  void finish(Proof proof, RandomStream& random) {
    is_greedy_best_ = true;
    score_ = greedy_.score();
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

  /// Whether the members of the entry that have been inserted lie in one clique.
  bool is_possible(EntryId entry) {
    inserted_.clear();
    for (const VariableId u : problem_.parents(entry))
      if (tree_.is_inserted(u)) inserted_.push_back(u);
    return tree_.holds(inserted_);
  }

  /// Writes wanted_[v], the entry that the bound counts, for all variables from a place on; false if one of
  /// them has nothing left that could lead to a better answer.
  bool find_wanted(std::size_t place) {
    for (const VariableId v : order().subspan(place)) {
      const auto& list = lists_.of(v);
      const auto found = options_.has_tight_bound
                             ? std::ranges::find_if(list, [&](EntryId e) { return is_possible(e); })
                             : list.begin();
      if (found == list.end()) return false;
      wanted_[v] = *found;
    }
    return true;
  }

  void expand(std::uint32_t id) {
    restore(id);
    const Node node = nodes_[id];
    const VariableId v = order()[node.num_inserted];
    if (!find_wanted(node.num_inserted)) return;
    const StateKey key = options_.has_dominance ? common_key(node.num_inserted + 1) : StateKey{};
    list_successors(v);
    if (options_.has_dominance) drop_dominated(v);
    list_affected(v, node.num_inserted + 1);
    for (const Successor& successor : successors_) {
      const double bound = node.bound - (problem_.score(wanted_[v]) - problem_.score(successor.entry)) -
                           loss_of_affected(v, successor.separator);
      if (!(bound > floor_)) continue;
      if (options_.has_dominance && !is_best_of_its_kind(key, v, successor, bound)) continue;
      add_node({bound, id, node.num_inserted + 1, successor.entry}, successor.separator);
    }
  }

  /// Components when the variables from `place` on are to come, and the key of the edges inside them.
  StateKey common_key(std::uint32_t place) {
    for (const VariableId u : order().first(place)) components_[u] = links_.component(u, place);
    StateKey key{place, place};
    for (const VariableId w : tree_.order())
      for (const VariableId u : tree_.separator(w))
        if (components_[u] == components_[w]) key.add(edge(w, u));
    return key;
  }

  std::uint64_t edge(VariableId w, VariableId u) const {
    return std::uint64_t{w} * problem_.num_variables() + u;
  }

  bool is_best_of_its_kind(StateKey key, VariableId v, const Successor& successor, double bound) {
    for (const VariableId u : successor.useful) key.add(edge(v, u));
    const auto [place, is_new] = best_bounds_.try_emplace(key, bound);
    if (!is_new && place->second >= bound) return false;
    place->second = bound;
    return true;
  }

  // All k-cliques: the root without one member, and C(w) without one member other than w.
  void list_successors(VariableId v) {
    successors_.clear();
    const auto inserted = std::span<const VariableId>(tree_.order());
    for (const VariableId w : inserted.subspan(root_size() - 1)) {
      const bool is_root = w == inserted[root_size() - 1];
      clique_.assign(tree_.separator(w).begin(), tree_.separator(w).end());
      clique_.push_back(w);
      for (const VariableId dropped : clique_)
        if (dropped != w || is_root) add_successor(v, dropped);
    }
  }

  void add_successor(VariableId v, VariableId dropped) {
    Successor successor{kNoEntry, {}, {}};
    std::ranges::remove_copy(clique_, std::back_inserter(successor.separator), dropped);
    const auto& list = lists_.of(v);
    const auto found = std::ranges::find_if(list, [&](EntryId entry) {
      return std::ranges::all_of(problem_.parents(entry), [&](VariableId u) {
        return std::ranges::find(successor.separator, u) != successor.separator.end();
      });
    });
    if (found == list.end()) return;
    successor.entry = *found;
    successors_.push_back(std::move(successor));
  }

  // Entries of one variable are numbered best first.
  void drop_dominated(VariableId v) {
    for (Successor& successor : successors_) {
      for (const VariableId u : successor.separator)
        if (components_[u] == components_[v]) successor.useful.push_back(u);
      std::ranges::sort(successor.useful);
    }
    std::ranges::stable_sort(successors_, [](const Successor& a, const Successor& b) {
      return a.entry != b.entry ? a.entry < b.entry : a.useful.size() > b.useful.size();
    });
    std::size_t num_kept = 0;
    for (std::size_t i = 0; i < successors_.size(); ++i) {
      const bool is_dominated = std::any_of(
          successors_.begin(), successors_.begin() + static_cast<std::ptrdiff_t>(num_kept),
          [&](const Successor& kept) { return std::ranges::includes(kept.useful, successors_[i].useful); });
      if (!is_dominated) std::swap(successors_[num_kept++], successors_[i]);
    }
    successors_.resize(num_kept);
  }

  /// Variables to come whose wanted entry holds v: only their share of the bound can fall.
  void list_affected(VariableId v, std::uint32_t place) {
    affected_.clear();
    if (!options_.has_tight_bound) return;
    for (const VariableId c : order().subspan(place))
      if (std::ranges::find(problem_.parents(wanted_[c]), v) != problem_.parents(wanted_[c]).end())
        affected_.push_back(c);
  }

  double loss_of_affected(VariableId v, std::span<const VariableId> separator) {
    double loss = 0;
    for (const VariableId c : affected_) {
      const auto& list = lists_.of(c);
      auto entry = std::ranges::find(list, wanted_[c]);
      while (entry != list.end() && !is_possible_with(v, separator, *entry)) ++entry;
      if (entry == list.end()) return std::numeric_limits<double>::infinity();
      loss += problem_.score(wanted_[c]) - problem_.score(*entry);
    }
    return loss;
  }

  /// is_possible after v has joined the separator.
  bool is_possible_with(VariableId v, std::span<const VariableId> separator, EntryId entry) {
    const auto parents = problem_.parents(entry);
    if (std::ranges::find(parents, v) == parents.end()) return is_possible(entry);
    return std::ranges::all_of(parents, [&](VariableId u) {
      return u == v || !tree_.is_inserted(u) || std::ranges::find(separator, u) != separator.end();
    });
  }

  const SearchProblem& problem_;
  const KAStarOptions& options_;
  OrderSource orders_;
  GreedyDecoder greedy_;
  CliqueChooser chooser_;
  GrowingKTree tree_;
  OrderLists lists_;
  FutureLinks links_;
  double floor_ = 0;  // states must beat it
  std::vector<Node> nodes_;
  std::vector<VariableId> separators_;  // of the nodes, `width` each
  std::vector<std::uint32_t> open_;     // heap
  std::unordered_map<StateKey, double, StateKeyHash> best_bounds_;
  std::vector<EntryId> wanted_;
  std::vector<VariableId> components_;
  std::vector<Successor> successors_;
  std::vector<VariableId> affected_, clique_, inserted_;
  std::vector<std::uint32_t> path_;
  std::vector<EntryId> chosen_;
  bool is_greedy_best_ = true;
  double score_ = 0;
};

}  // namespace

SearchOutcome search_k_astar(const SearchProblem& problem, const KAStarOptions& options,
                             const SearchLimits& limits, const SearchPoll& poll) {
  const OrderPlan orders(problem, options.orders, limits.seed, options.policy != CliquePolicy::kRandom);
  SearchPlan plan;
  plan.make_constructor = [&] { return std::make_unique<KAStar>(problem, options, orders); };
  orders.limit(plan);
  return run_search(plan, limits, poll);
}

}  // namespace treebound

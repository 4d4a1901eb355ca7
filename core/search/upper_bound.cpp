#include "search/upper_bound.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <vector>

#include "search/forest/chow_liu.hpp"

namespace treebound {
namespace {

// Of the time, where there is a limit.
constexpr double kShareOfTime = 0.1;
// Looks at entries: so many for each entry, and so many at most, which take about a second.
constexpr std::uint64_t kLooksPerEntry = 400;
constexpr std::uint64_t kMostLooks = std::uint64_t{1} << 28;
// Larger clusters cost more looks than they raise the losses.
constexpr std::size_t kMostMembers = 64;

class DualAscent {
 public:
  DualAscent(const SearchProblem& problem, const Run& run)
      : problem_(problem),
        run_(run),
        most_looks_(std::min(kMostLooks, kLooksPerEntry * problem.num_entries())),
        tight_(problem.num_variables()),
        is_stuck_(problem.num_variables(), 0),
        is_inside_(problem.num_variables(), 0) {
    if (run.has_deadline())
      deadline_ = run.start() +
                  std::chrono::duration_cast<Clock::duration>(kShareOfTime * (run.deadline() - run.start()));
    for (VariableId v = 0; v < problem.num_variables(); ++v) {
      const double best = problem.score(problem.best_entry(v));
      for (EntryId entry = problem.best_entry(v); entry <= problem.last_entry(v); ++entry) {
        costs_.push_back(best - problem.score(entry));
        if (costs_.back() <= 0) tight_[v].push_back(entry);
      }
    }
  }

  /// What every structure loses.
  double loss() {
    while (find_stuck() && raise_all()) {
    }
    return loss_;
  }

 private:
  bool is_over() const {
    return num_looks_ > most_looks_ || run_.is_stopped() ||
           (run_.has_deadline() && Clock::now() >= deadline_);
  }

  /// Places variables; false if none is stuck.
  bool find_stuck() {
    const std::uint32_t n = problem_.num_variables();
    struct Use {
      VariableId child;
      std::uint32_t entry;  // number among the tight entries
    };
    std::vector<std::vector<Use>> uses(n);
    std::vector<std::uint32_t> num_missing;  // parents not yet placed, of each tight entry
    std::vector<VariableId> placed;
    std::fill(is_stuck_.begin(), is_stuck_.end(), std::uint8_t{1});
    const auto place = [&](VariableId v) {
      if (!is_stuck_[v]) return;
      is_stuck_[v] = 0;
      placed.push_back(v);
    };
    for (VariableId v = 0; v < n; ++v) {
      for (const EntryId entry : tight_[v]) {
        const auto parents = problem_.parents(entry);
        for (const VariableId p : parents)
          uses[p].push_back({v, static_cast<std::uint32_t>(num_missing.size())});
        num_missing.push_back(static_cast<std::uint32_t>(parents.size()));
        if (parents.empty()) place(v);
      }
    }
    for (std::size_t i = 0; i < placed.size(); ++i)
      for (const Use& use : uses[placed[i]])
        if (--num_missing[use.entry] == 0) place(use.child);
    num_looks_ += num_missing.size();
    return placed.size() < n;
  }

  /// Raises a cluster around each stuck variable; false if none was found or the effort is spent.
  bool raise_all() {
    bool has_raised = false;
    for (VariableId v = 0; v < problem_.num_variables(); ++v) {
      if (!is_stuck_[v]) continue;
      if (is_over()) return false;
      if (grow(v)) {
        make_minimal();
        raise();
        has_raised = true;
      }
      for (const VariableId u : members_) is_inside_[u] = 0;
      members_.clear();
    }
    return has_raised;
  }

  bool hits(EntryId entry) const {
    return std::ranges::any_of(problem_.parents(entry), [&](VariableId p) { return is_inside_[p] != 0; });
  }
  std::size_t num_unhit(VariableId v) {
    num_looks_ += tight_[v].size();
    return static_cast<std::size_t>(std::ranges::count_if(tight_[v], [&](EntryId e) { return !hits(e); }));
  }
  void add(VariableId v) {
    is_inside_[v] = 1;
    members_.push_back(v);
  }

  /// Adds parents until all tight entries of all members have one inside; false if that cannot be.
  bool grow(VariableId seed) {
    add(seed);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (const EntryId entry : tight_[members_[i]]) {
        ++num_looks_;
        if (hits(entry)) continue;
        const VariableId next = easiest_parent(entry);
        if (next == problem_.num_variables() || members_.size() == kMostMembers) return false;
        add(next);
      }
    }
    return true;
  }

  /// The stuck parent that has the fewest tight entries without a parent inside.
  VariableId easiest_parent(EntryId entry) {
    VariableId best = problem_.num_variables();
    std::size_t fewest = 0;
    for (const VariableId p : problem_.parents(entry)) {
      if (!is_stuck_[p]) continue;
      const std::size_t open = num_unhit(p);
      if (best != problem_.num_variables() && open >= fewest) continue;
      best = p;
      fewest = open;
    }
    return best;
  }

  /// Leaves members out while a cluster remains.
  void make_minimal() {
    for (std::size_t i = members_.size(); i-- > 0 && members_.size() > 2;) {
      if (i >= members_.size()) continue;
      const std::vector<VariableId> before = members_;
      leave_out(i);
      if (members_.empty())
        for (const VariableId v : before) add(v);
    }
  }

  /// Takes a member away, and all that have a tight entry without a parent inside then.
  void leave_out(std::size_t index) {
    is_inside_[members_[index]] = 0;
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(index));
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (std::size_t i = 0; i < members_.size();) {
        if (num_unhit(members_[i]) == 0) {
          ++i;
          continue;
        }
        is_inside_[members_[i]] = 0;
        members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i));
        has_changed = true;
      }
    }
  }

  /// Takes off the cost that every structure loses to the cluster.
  void raise() {
    avoiding_.clear();
    double least = HUGE_VAL;
    for (const VariableId v : members_) {
      const EntryId last = problem_.last_entry(v);
      for (EntryId entry = problem_.best_entry(v); entry <= last; ++entry) {
        if (hits(entry)) continue;
        avoiding_.push_back({v, entry});
        least = std::min(least, costs_[entry]);
      }
      num_looks_ += 1 + last - problem_.best_entry(v);
    }
    assert(least > 0);
    for (const auto& [v, entry] : avoiding_) {
      costs_[entry] -= least;
      if (costs_[entry] <= 0) tight_[v].push_back(entry);
    }
    loss_ += least;
  }

  struct Avoiding {
    VariableId variable;
    EntryId entry;
  };

  const SearchProblem& problem_;
  const Run& run_;
  Clock::time_point deadline_ = Clock::time_point::max();
  const std::uint64_t most_looks_;
  std::uint64_t num_looks_ = 0;
  double loss_ = 0;
  std::vector<double> costs_;                // what is left of the loss of each entry
  std::vector<std::vector<EntryId>> tight_;  // by variable
  std::vector<std::uint8_t> is_stuck_;
  // The current cluster.
  std::vector<std::uint8_t> is_inside_;
  std::vector<VariableId> members_;
  std::vector<Avoiding> avoiding_;
};

}  // namespace

double upper_bound(const SearchProblem& problem, const Run& run) {
  if (problem.width() == 1) {
    double score = 0;
    for (const EntryId entry : best_forest(problem)) score += problem.score(entry);
    return score;
  }
  return problem.sum_of_best() - DualAscent(problem, run).loss();
}

}  // namespace treebound

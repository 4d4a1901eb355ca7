// What S2 and S2+ share: a step ends with a k-tree, and the DAG inside it is the structure.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "search/anytime.hpp"
#include "search/informative/informative_score.hpp"
#include "search/ktree/k_greedy.hpp"
#include "search/within_ktree/within_ktree.hpp"

namespace treebound {

struct KTreeStepOptions {
  WithinKTreeOptions within;
  bool skips_beaten;
};

/// What the threads count together.
class KTreeCounts {
 public:
  explicit KTreeCounts(bool keeps_scores) : keeps_scores_(keeps_scores) {}

  void add_drawn() { num_drawn_.fetch_add(1, std::memory_order_relaxed); }
  void add_solved(bool is_exact, double score) {
    if (is_exact) num_exact_.fetch_add(1, std::memory_order_relaxed);
    if (!keeps_scores_) return;
    const std::scoped_lock lock(mutex_);
    scores_.push_back(score);
  }
  /// Call before counting starts. The median is that of the DAGs of all steps, so none may be skipped.
  Statistics statistics(const ProofCounts& counts) {
    Statistics result{{"num_drawn", num_drawn_.load()},
                      {"num_exact", num_exact_.load()},
                      {"num_skipped", counts.num_skipped}};
    if (scores_.empty()) return result;
    const auto middle = scores_.begin() + static_cast<std::ptrdiff_t>(scores_.size() / 2);
    std::nth_element(scores_.begin(), middle, scores_.end());
    result.emplace_back("median_score", *middle);
    return result;
  }

 private:
  bool keeps_scores_;
  std::atomic<std::uint64_t> num_drawn_{0}, num_exact_{0};
  std::mutex mutex_;
  std::vector<double> scores_;
};

/// What the threads read.
struct KTreeFigures {
  explicit KTreeFigures(const SearchTask& task) : information(information_of(task)), groups(task.problem) {}

  PairInformation information;
  EntryGroups groups;

 private:
  /// Counted from rows where there are any and not too many pairs, else taken from the cache.
  static PairInformation information_of(const SearchTask& task) {
    const Dataset* data = task.problem.source().data;
    if (data == nullptr || data->num_variables() > PairInformation::kMaxDense)
      return PairInformation(task.problem);
    PairInformation counted(*data, task.run);
    counted.require(task.problem);
    return counted;
  }
};

class KTreeStep : public Constructor {
 public:
  KTreeStep(const SearchTask& task, const KTreeStepOptions& options, const KTreeFigures& figures,
            KTreeCounts& counts)
      : run_(task.run),
        problem_(task.problem),
        figures_(figures),
        counts_(counts),
        tree_(problem_.num_variables(), problem_.width()),
        skips_beaten_(options.skips_beaten),
        covered_(figures.groups),
        within_(problem_, options.within) {}

  double score() const override { return score_; }
  void write(Found& found) const override { write_structure(problem_, tree_, within_.chosen(), found); }

 protected:
  /// Counts the complete k-tree and reads its entries.
  InformativeScore look_at_tree() {
    counts_.add_drawn();
    covered_.look_at(tree_);
    return informative_score(figures_.information, tree_, covered_);
  }

  /// Finds the DAG inside the k-tree, unless no DAG inside can beat the incumbent.
  Proof solve(std::uint64_t step, RandomStream& random, const SearchContext& context, double upper_bound) {
    // The bound is summed in another order than scores are.
    const double slack = 1e-9 * std::abs(upper_bound);
    if (skips_beaten_ && context.is_beaten(upper_bound + slack, step)) return Proof::kBeaten;
    const double loss = within_.look_at(covered_);
    if (skips_beaten_ && context.is_beaten(upper_bound - loss + slack, step)) return Proof::kBeaten;
    const bool is_exact = within_.solve(tree_, random, run_);
    score_ = within_.score();
    counts_.add_solved(is_exact, score_);
    return Proof::kNone;
  }

  const Run& run_;
  const SearchProblem& problem_;
  const KTreeFigures& figures_;
  KTreeCounts& counts_;
  GrowingKTree tree_;

 private:
  bool skips_beaten_;
  CoveredEntries covered_;
  WithinKTree within_;
  double score_ = 0;
};

}  // namespace treebound

#include "inference/expected_counts/missing_parts.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/stopped.hpp"

namespace treebound {
namespace {

// A cell in lanes costs about this share of one of a part that a single row has, which is also planned for.
constexpr double kLaneShare = 0.1;
// Parts of so few variables are shared by many rows, and cost next to nothing.
constexpr std::size_t kFewVariables = 2;
// Lanes of all variables take at most this many cells: a few megabytes per thread.
constexpr double kMostLaneCells = 1 << 17;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

struct VariablesHash {
  std::size_t operator()(const std::vector<VariableId>& variables) const {
    std::uint64_t hash = variables.size();
    for (const VariableId v : variables) hash = mixed(hash, v);
    return static_cast<std::size_t>(hash);
  }
};

/// Connected sets of missing variables, found by walking through the families.
class RowSplitter {
 public:
  explicit RowSplitter(const EliminationBags& bags)
      : bags_(bags), is_missing_(bags.num_variables(), false), parts_(0) {}

  /// Takes a row apart; its parts are valid until the next call.
  void split(RowsView rows, std::size_t row) {
    num_parts_ = 0;
    missing_.clear();
    for (const VariableId v : bags_.order()) {
      if (rows.column(v)[row] >= 0) continue;
      missing_.push_back(v);
      is_missing_[v] = true;
    }
    for (const VariableId v : missing_) {
      if (is_missing_[v]) gather(v);
    }
  }

  std::span<const std::vector<VariableId>> parts() const { return std::span(parts_).first(num_parts_); }

 private:
  void gather(VariableId first) {
    if (num_parts_ == parts_.size()) parts_.emplace_back();
    auto& part = parts_[num_parts_++];
    part.assign(1, first);
    is_missing_[first] = false;
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (const VariableId child : bags_.families_with(part[i])) {
        for (const VariableId v : bags_.members(child)) {
          if (!is_missing_[v]) continue;
          is_missing_[v] = false;
          part.push_back(v);
        }
      }
    }
    std::ranges::sort(part, {}, [&](VariableId v) { return bags_.rank(v); });
  }

  const EliminationBags& bags_;
  std::vector<bool> is_missing_;
  std::vector<VariableId> missing_;
  std::vector<std::vector<VariableId>> parts_;
  std::size_t num_parts_ = 0;
};

class PartFinder {
 public:
  PartFinder(const EliminationBags& bags, RowsView rows, std::span<const double> weights)
      : bags_(bags), rows_(rows), weights_(weights), is_member_(bags.num_variables(), false) {
    std::vector<bool> all(bags.num_variables(), true);
    whole_cells_ = cells_of_part(bags, bags.order(), all);
    found_.is_whole.assign(rows.num_rows, false);
  }

  MissingParts find(const Run& run) && {
    RowSplitter splitter(bags_);
    for (std::size_t r = 0; r < rows_.num_rows; ++r) {
      if (r % kRowsPerPoll == 0) throw_if_requested(run);
      if (weights_[r] == 0) continue;
      splitter.split(rows_, r);
      if (is_better_whole(splitter.parts())) {
        found_.is_whole[r] = true;
        found_.whole_rows.push_back({r, weights_[r]});
      } else {
        for (const auto& part : splitter.parts()) number_of(part).push_back(r);
      }
    }
    for (std::size_t p = 0; p < variables_.size(); ++p) {
      if (p % kRowsPerPoll == 0) throw_if_requested(run);
      add_part(variables_[p], rows_of_[p]);
    }
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kRowsPerPoll = 1024;

  bool is_better_whole(std::span<const std::vector<VariableId>> parts) {
    if (whole_cells_ > kMostLaneCells) return false;
    double cells = 0;
    for (const auto& part : parts) {
      if (part.size() <= kFewVariables) continue;
      mark(part, true);
      cells += cells_of_part(bags_, part, is_member_);
      mark(part, false);
    }
    return cells > kLaneShare * whole_cells_;
  }

  std::vector<std::size_t>& number_of(const std::vector<VariableId>& part) {
    const auto [place, is_new] = numbers_.try_emplace(part, variables_.size());
    if (is_new) {
      variables_.push_back(part);
      rows_of_.emplace_back();
    }
    return rows_of_[place->second];
  }

  void mark(std::span<const VariableId> part, bool value) {
    for (const VariableId v : part) is_member_[v] = value;
  }

  void add_part(std::span<const VariableId> variables, std::span<const std::size_t> rows) {
    mark(variables, true);
    MissingPart part{plan_part(bags_, variables, is_member_), {}};
    mark(variables, false);
    std::vector<VariableId> known;
    for (const PartPlan::Known& one : part.plan.known) known.push_back(one.variable);
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    merge(known, rows, part.rows);
    found_.parts.push_back(std::move(part));
  }

  /// Adds up the rows that agree in the variables known. Two different rows with equal hashes may keep a
  /// third from being added to an equal one, which only costs time.
  void merge(std::span<const VariableId> known, std::span<const std::size_t> rows,
             std::vector<WeightedRow>& merged) {
    std::vector<std::pair<std::uint64_t, std::size_t>> keys;
    keys.reserve(rows.size());
    for (const std::size_t r : rows) {
      std::uint64_t hash = 0;
      for (const VariableId v : known) hash = mixed(hash, static_cast<std::uint64_t>(rows_.column(v)[r]));
      keys.emplace_back(hash, r);
    }
    std::ranges::sort(keys);
    const auto agree = [&](std::size_t a, std::size_t b) {
      return std::ranges::all_of(known,
                                 [&](VariableId v) { return rows_.column(v)[a] == rows_.column(v)[b]; });
    };
    std::uint64_t last = 0;
    for (const auto& [hash, r] : keys) {
      if (!merged.empty() && hash == last && agree(merged.back().row, r))
        merged.back().weight += weights_[r];
      else
        merged.push_back({r, weights_[r]});
      last = hash;
    }
  }

  const EliminationBags& bags_;
  RowsView rows_;
  std::span<const double> weights_;
  double whole_cells_;
  std::vector<bool> is_member_;
  std::unordered_map<std::vector<VariableId>, std::size_t, VariablesHash> numbers_;
  std::vector<std::vector<VariableId>> variables_;
  std::vector<std::vector<std::size_t>> rows_of_;
  MissingParts found_;
};

}  // namespace

MissingParts find_missing_parts(const EliminationBags& bags, RowsView rows, std::span<const double> weights,
                                const Run& run) {
  return PartFinder(bags, rows, weights).find(run);
}

}  // namespace treebound

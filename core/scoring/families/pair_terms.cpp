#include "scoring/families/pair_terms.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <memory>

#include "base/parallel.hpp"
#include "scoring/counting/pair_counter.hpp"

namespace treebound {
namespace {

/// Calls count(counter, tile) for all tiles, by the threads of the run; false if it stopped.
template <typename Tiles, typename Count>
bool count_tiles(const Dataset& data, const LocalScore& score, Run& run, const Tiles& tiles, Count&& count) {
  std::vector<std::unique_ptr<PairCounter>> workers(run.num_threads());
  return parallel_for(run, tiles.size(), [&](std::size_t worker_id, std::size_t item) {
    auto& worker = workers[worker_id];
    if (!worker) worker = std::make_unique<PairCounter>(data, score);
    count(*worker, tiles[item]);
  });
}

}  // namespace

PairTerms::PairTerms(const Dataset& data, const LocalScore& score, Run& run, std::size_t max_pairs) {
  const std::size_t n = data.num_variables();
  PairCounter own(data, score);
  empty_ = own.empty();
  for (VariableId v = 0; v < n; ++v) {
    const auto marginal = data.marginal(v);
    singles_.push_back(own.single(v));
    num_occurring_.push_back(static_cast<std::uint32_t>(
        std::count_if(marginal.begin(), marginal.end(), [](auto m) { return m > 0; })));
  }
  if (max_pairs == 0) {
    rows_.resize(n);
    is_complete_ = true;
  } else if (n * (n - 1) / 2 <= max_pairs) {
    count_all(data, score, run);
  } else {
    count_best(data, score, run, max_pairs * sizeof(Term) / (n * BestPartners::kBytesPerPartner));
  }
}

PairTerms::PairTerms(std::vector<Term> singles, std::vector<std::uint32_t> num_occurring, Term empty,
                     std::span<const Term> pairs)
    : singles_(std::move(singles)),
      rows_(singles_.size()),
      num_occurring_(std::move(num_occurring)),
      empty_(empty),
      is_complete_(true) {
  assert(num_occurring_.size() == singles_.size());
  if (pairs.empty()) return;
  assert(pairs.size() == singles_.size() * (singles_.size() - 1) / 2);
  for (VariableId a = 1; a < rows_.size(); ++a) {
    const auto row = pairs.subspan(std::size_t{a} * (a - 1) / 2, a);
    rows_[a].assign(row.begin(), row.end());
    known_rows_.push_back(a);
  }
}

std::vector<Term> count_pair_rows(const Dataset& data, const LocalScore& score, Run& run, VariableId first,
                                  VariableId end) {
  assert(first <= end && end <= data.num_variables());
  const auto place = [](std::size_t a) { return a * (a - (a > 0)) / 2; };
  std::vector<Term> terms(place(end) - place(first));
  const PairTiles all(data);
  std::vector<PairTile> tiles;
  for (std::size_t i = 0; i < all.size(); ++i) {
    PairTile tile = all[i];
    tile.a = {std::max(tile.a.first, first), std::min(tile.a.end, end)};
    if (tile.a.first < tile.a.end) tiles.push_back(tile);
  }
  const auto keep = [&](VariableId a, VariableId b, Term term) { terms[place(a) - place(first) + b] = term; };
  const bool is_complete =
      count_tiles(data, score, run, tiles,
                  [&](PairCounter& counter, const PairTile& tile) { counter.count(tile, keep); });
  if (!is_complete) terms.clear();
  return terms;
}

void PairTerms::count_all(const Dataset& data, const LocalScore& score, Run& run) {
  const std::size_t n = data.num_variables();
  rows_.resize(n);
  for (VariableId a = 0; a < n; ++a) rows_[a].resize(a);
  const PairTiles tiles(data);
  std::vector<std::atomic<std::size_t>> num_counted(tiles.num_blocks());  // tiles, by block
  is_complete_ = count_tiles(data, score, run, tiles, [&](PairCounter& counter, const PairTile& tile) {
    counter.count(tile, [&](VariableId a, VariableId b, Term term) { rows_[a][b] = term; });
    ++num_counted[tiles.block_of(tile.a.first)];
  });
  for (VariableId a = 0; a < n; ++a) {
    const std::size_t block = tiles.block_of(a);
    if (num_counted[block] <= block) rows_[a] = {};
    if (!rows_[a].empty()) known_rows_.push_back(a);
  }
}

void PairTerms::count_best(const Dataset& data, const LocalScore& score, Run& run, std::size_t max_partners) {
  partners_ = BestPartners(data.num_variables(), max_partners);
  // Both scores are score-equivalent: an arc gains the same in either direction.
  const auto gain = [&](VariableId a, VariableId b, Term term) {
    const double states_a = data.cardinality(a), states_b = data.cardinality(b);
    return static_cast<float>(score.score({term, singles_[b], 0}, states_a, states_b) -
                              score.score({singles_[a], empty_, 0}, states_a, 1));
  };
  const PairTiles tiles(data);
  is_complete_ = count_tiles(data, score, run, tiles, [&](PairCounter& counter, const PairTile& tile) {
    counter.count_gaining(tile, [&](VariableId a, VariableId b, Term term) {
      const float gained = gain(a, b, term);
      if (!(gained > 0)) return;
      partners_.add(a, {term, b, gained});
      partners_.add(b, {term, a, gained});
    });
  });
  partners_.finish();
}

}  // namespace treebound

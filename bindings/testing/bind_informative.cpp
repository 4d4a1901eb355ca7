#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "search/informative/dandelion.hpp"
#include "search/informative/guided_growth.hpp"
#include "search/informative/informative_score.hpp"
#include "testing/testing.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Members = std::vector<VariableId>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The insertion order and, for each of its variables behind the root clique, the separator.
using Grown = std::pair<Members, std::vector<Members>>;

Grown grown(const GrowingKTree& tree) {
  Grown result;
  for (const VariableId v : tree.order()) {
    result.first.push_back(v);
    if (result.first.size() <= tree.width() + 1) continue;
    const auto separator = tree.separator(v);
    result.second.emplace_back(separator.begin(), separator.end());
  }
  return result;
}

Grown decode(std::uint32_t num_variables, const Members& q, const Pairs& pairs) {
  DandelionCode code{q, {}};
  for (const auto& [parent, label] : pairs) code.pairs.push_back({parent, label});
  const auto width = static_cast<std::uint32_t>(q.size());
  GrowingKTree tree(num_variables, width);
  DandelionSampler(num_variables, width).decode(code, tree);
  return grown(tree);
}

std::vector<Grown> draw(std::uint32_t num_variables, std::uint32_t width, std::uint64_t seed,
                        std::uint64_t count) {
  GrowingKTree tree(num_variables, width);
  DandelionSampler sampler(num_variables, width);
  RandomStream random(seed, 0);
  std::vector<Grown> result;
  for (std::uint64_t i = 0; i < count; ++i) {
    sampler.draw(random, tree);
    result.push_back(grown(tree));
  }
  return result;
}

/// S_mi and S_l.
std::pair<double, double> scores_of(const SearchProblem& problem, const Dataset* data, const Members& root,
                                    const std::vector<std::pair<VariableId, Members>>& joined) {
  GrowingKTree tree(problem.num_variables(), problem.width());
  tree.start(root);
  for (const auto& [v, separator] : joined) tree.insert(v, separator);
  Run run;
  const auto information = data == nullptr ? PairInformation(problem) : PairInformation(*data, run);
  const EntryGroups groups(problem);
  CoveredEntries covered(groups);
  covered.look_at(tree);
  const InformativeScore score = informative_score(information, tree, covered);
  return {score.information, score.pseudo_score};
}

std::pair<Grown, bool> grow(const SearchProblem& problem, const Members& root, std::uint32_t max_nodes) {
  const PairInformation information(problem);
  const EntryGroups groups(problem);
  GrowingKTree tree(problem.num_variables(), problem.width());
  const bool is_proved = GuidedGrowth(groups, information, max_nodes).grow(root, Run(), tree);
  return {grown(tree), is_proved};
}

}  // namespace

void bind_informative_parts(nb::module_& module) {
  module.def("decode_dandelion", &decode, "num_variables"_a, "q"_a, "pairs"_a,
             "The k-tree of a Dandelion code: insertion order, separators.");
  module.def("draw_ktrees", &draw, "num_variables"_a, "width"_a, "seed"_a, "count"_a,
             "Uniform k-trees: insertion order, separators.");
  module.def("informative_score", &scores_of, "problem"_a, "data"_a.none(), "root"_a, "joined"_a,
             "Both parts of the informative score of a k-tree: mutual information, and score of the best "
             "pseudo-subgraph.");
  module.def(
      "most_informative_ktree", &grow, "problem"_a, "root"_a, "max_nodes"_a,
      "The k-tree with this root that A* finds: insertion order, separators; and whether none is better.");
}

}  // namespace treebound

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string_view>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "scoring/cache/jkl_text.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

std::vector<nb::bytes> to_bytes(const std::vector<std::string>& texts) {
  std::vector<nb::bytes> result;
  for (const std::string& text : texts) result.push_back(to_bytes(text));
  return result;
}

}  // namespace

void bind_jkl(nb::module_& module) {
  nb::enum_<JklFault>(module, "JklFault")
      .value("none", JklFault::none)
      .value("no_count", JklFault::no_count)
      .value("bad_count", JklFault::bad_count)
      .value("no_variables", JklFault::no_variables)
      .value("too_few_blocks", JklFault::too_few_blocks)
      .value("bad_header", JklFault::bad_header)
      .value("bad_set_count", JklFault::bad_set_count)
      .value("repeated_name", JklFault::repeated_name)
      .value("too_few_sets", JklFault::too_few_sets)
      .value("bad_score", JklFault::bad_score)
      .value("score_not_finite", JklFault::score_not_finite)
      .value("bad_size", JklFault::bad_size)
      .value("wrong_size", JklFault::wrong_size)
      .value("unknown_parent", JklFault::unknown_parent)
      .value("parent_of_itself", JklFault::parent_of_itself)
      .value("repeated_parent", JklFault::repeated_parent)
      .value("repeated_set", JklFault::repeated_set)
      .value("text_after_the_end", JklFault::text_after_the_end);

  nb::class_<JklProblem>(module, "JklProblem")
      .def_ro("fault", &JklProblem::fault)
      .def_ro("line", &JklProblem::line)
      .def_ro("expected", &JklProblem::expected)
      .def_ro("found", &JklProblem::found)
      .def_prop_ro("text", [](const JklProblem& problem) { return to_bytes(problem.text); });

  module.def(
      "parse_jkl",
      [](nb::bytes text) {
        const std::string_view characters(text.c_str(), text.size());
        JklContent content = without_gil([&] { return parse_jkl(characters); });
        ParentSetCache& cache = content.cache;
        return std::tuple(std::move(content.problem), to_bytes(content.names), to_bytes(content.comments),
                          to_numpy(std::move(cache.set_offsets)), to_numpy(std::move(cache.scores)),
                          to_numpy(std::move(cache.parent_offsets)), to_numpy(std::move(cache.parents)));
      },
      "text"_a, "Problem, names, comments, set_offsets, scores, parent_offsets and parents of a .jkl text.");

  module.def(
      "format_jkl",
      [](ArrayIn<std::int64_t> set_offsets, ArrayIn<double> scores, ArrayIn<std::int64_t> parent_offsets,
         ArrayIn<VariableId> parents, const std::vector<nb::bytes>& names, std::size_t first,
         std::size_t last) {
        std::vector<std::string> texts;
        for (const nb::bytes& name : names) texts.emplace_back(name.c_str(), name.size());
        return to_bytes(without_gil([&] {
          return format_jkl(
              {as_span(set_offsets), as_span(scores), as_span(parent_offsets), as_span(parents)}, texts,
              first, last);
        }));
      },
      "set_offsets"_a, "scores"_a, "parent_offsets"_a, "parents"_a, "names"_a, "first"_a, "last"_a,
      "The .jkl text of the variables first..last-1 of a cache.");
}

}  // namespace treebound

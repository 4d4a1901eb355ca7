#include "inference/model.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

Model::Model(const NetworkView& network, std::span<const VariableId> elimination_order)
    : cardinalities_(network.cardinalities.begin(), network.cardinalities.end()),
      order_(elimination_order.begin(), elimination_order.end()),
      topological_order_(network.topological_order.begin(), network.topological_order.end()),
      rank_(cardinalities_.size()),
      values_(network.tables.size()),
      value_offsets_(network.table_offsets.begin(), network.table_offsets.end()),
      axis_offsets_{0} {
  assert(network.is_consistent() && network.tables.size() == network.num_cells());
  assert(order_.size() == cardinalities_.size() && topological_order_.size() == cardinalities_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
  for (VariableId v = 0; v < cardinalities_.size(); ++v) lay_out_table(network, v);
  index_mentions();
}

void Model::lay_out_table(const NetworkView& network, VariableId child) {
  const auto parents = network.parents_of(child);
  std::vector<Axis> from;  // axes of the network's table, slowest first
  for (const VariableId parent : parents) from.push_back({parent, 0});
  from.push_back({child, 0});
  std::size_t size = 1;
  for (auto axis = from.rbegin(); axis != from.rend(); ++axis) {
    axis->stride = size;
    size *= cardinalities_[axis->variable];
  }
  assert(value_offsets_[child] + size == value_offsets_[child + 1]);
  std::ranges::sort(from, {}, [&](const Axis& axis) { return rank_[axis.variable]; });
  std::size_t stride = size;
  for (const Axis& axis : from) {
    stride /= cardinalities_[axis.variable];
    axes_.push_back({axis.variable, stride});
  }
  axis_offsets_.push_back(axes_.size());

  const double* source = network.table_of(child);
  double* target = values_.data() + value_offsets_[child];
  std::vector<std::uint32_t> states(from.size(), 0);
  std::size_t position = 0;
  for (std::size_t i = 0; i < size; ++i) {
    target[i] = source[position];
    for (std::size_t d = from.size(); d-- > 0;) {
      position += from[d].stride;
      if (++states[d] < cardinalities_[from[d].variable]) break;
      position -= from[d].stride * states[d];
      states[d] = 0;
    }
  }
  assert(position == 0);
  const std::span<const double> cells(target, size);
  assert(std::ranges::all_of(cells, [](double cell) { return 0 <= cell && cell <= 1; }));
  magnitudes_.push_back(magnitudes_of(cells));
  if (std::ranges::find(cells, 0.0) != cells.end()) with_zeros_.push_back(child);
}

void lay_out(const Model& model, std::span<const VariableId> variables, std::span<Axis> axes) {
  assert(axes.size() == variables.size());
  std::size_t stride = 1;
  for (std::size_t i = variables.size(); i-- > 0;) {
    axes[i] = {variables[i], stride};
    stride *= model.cardinalities()[variables[i]];
  }
}

void Model::index_mentions() {
  mention_offsets_.assign(num_variables() + 1, 0);
  for (const Axis& axis : axes_) ++mention_offsets_[axis.variable + 1];
  for (std::size_t v = 0; v < num_variables(); ++v) mention_offsets_[v + 1] += mention_offsets_[v];
  mentions_.resize(axes_.size());
  auto next = mention_offsets_;
  for (VariableId child = 0; child < num_variables(); ++child) {
    for (const Axis& axis : table_of(child).axes) mentions_[next[axis.variable]++] = child;
  }
  assert(std::equal(next.begin(), next.end() - 1, mention_offsets_.begin() + 1));
}

}  // namespace treebound

#include "scoring/pair_row.hpp"

namespace treebound {
namespace {

template <typename Counts>
Term sum_terms(const Counts& counts, const Term* terms) {
  Term sum = 0;
  for (const std::uint32_t n : counts) sum += terms[n];
  return sum;
}

}  // namespace

PairRow::PairRow(const Dataset& data, const LocalScore& score)
    : data_(&data), score_(score.clone()), whole_(data), tail_(data) {
  whole_.gather();
}

Term PairRow::empty() { return score_->tables(1, 1).joint[data_->num_rows()]; }

Term PairRow::single(VariableId v) {
  return sum_terms(data_->marginal(v), score_->tables(data_->cardinality(v), 1).joint);
}

std::vector<Term> PairRow::count(VariableId a) {
  tail_.set(whole_, a);
  std::vector<Term> row(a);
  for (VariableId b = 0; b < a; ++b) {
    tail_.count(b, data_->marginal(b).data(), table_);
    const double joint_states = static_cast<double>(data_->cardinality(a)) * data_->cardinality(b);
    row[b] = sum_terms(table_, score_->tables(joint_states, 1).joint);
  }
  return row;
}

}  // namespace treebound

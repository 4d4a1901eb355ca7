#include "scoring/local_score.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace treebound {
namespace {

// A BDeu term per row is at least log(a / |S|), and |S| stays below 1e200 in any set that can be counted.
constexpr double kSmallestLog = 500;

double log_rows(std::size_t num_rows) { return std::log(static_cast<double>(num_rows)); }

// Tables of one thread together; beyond this they are made anew, which costs less than the memory.
constexpr std::size_t kMaxTableEntries = std::size_t{1} << 23;

}  // namespace

LocalScore::LocalScore(std::size_t num_rows, double largest_term) : num_rows_(num_rows) {
  assert(num_rows > 0 && largest_term >= 0);
  const double largest_sum = static_cast<double>(num_rows) * largest_term + 1;
  unit_ = std::ldexp(1.0, std::ilogb(largest_sum) + 2 - 62);
}

Term LocalScore::to_term(double value) const { return static_cast<Term>(std::llround(value / unit_)); }

Bic::Bic(std::size_t num_rows, double penalty)
    : LocalScore(num_rows, log_rows(num_rows)), half_log_rows_(penalty * log_rows(num_rows) / 2) {}

Term Bic::term(std::uint64_t count) const {
  if (count == 0) return 0;
  const auto n = static_cast<double>(count);
  return to_term(n * std::log(n));
}

LocalScore::Tables Bic::tables(double, double) {
  std::call_once(table_->is_made, [this] {
    std::vector<Term> terms(num_rows_ + 1, 0);
    for (std::size_t n = 1; n <= num_rows_; ++n) terms[n] = term(n);
    table_->terms = std::move(terms);
  });
  return {table_->terms.data(), table_->terms.data()};
}

std::vector<Term> Bic::terms(double, std::span<const std::uint64_t> counts) const {
  std::vector<Term> result;
  result.reserve(counts.size());
  for (const std::uint64_t n : counts) result.push_back(term(n));
  return result;
}

Bdeu::Bdeu(std::size_t num_rows, double equivalent_sample_size)
    : LocalScore(num_rows, kSmallestLog + log_rows(num_rows)),
      equivalent_sample_size_(equivalent_sample_size) {
  assert(equivalent_sample_size > 0);
}

LocalScore::Tables Bdeu::tables(double joint_states, double parent_states) {
  assert(joint_states >= parent_states && parent_states >= 1);
  if (tables_.size() > 2 && tables_.size() * (num_rows_ + 1) > kMaxTableEntries) tables_.clear();
  return {table(joint_states), table(parent_states)};
}

template <typename Use>
void Bdeu::for_each_term(double num_states, std::uint64_t last, Use&& use) const {
  const double prior = equivalent_sample_size_ / num_states;
  // log Gamma(n + 1 + a) - log Gamma(n + a) = log(n + a): a running sum, carried in extended precision.
  long double sum = 0;
  for (std::uint64_t n = 0; n < last; ++n) {
    sum += std::log(static_cast<long double>(n) + static_cast<long double>(prior));
    use(n + 1, to_term(static_cast<double>(sum)));
  }
}

const Term* Bdeu::table(double num_states) {
  if (const auto known = tables_.find(num_states); known != tables_.end()) return known->second.data();
  std::vector<Term> table(num_rows_ + 1, 0);
  for_each_term(num_states, num_rows_, [&](std::uint64_t n, Term term) { table[n] = term; });
  return tables_.emplace(num_states, std::move(table)).first->second.data();
}

std::vector<Term> Bdeu::terms(double num_states, std::span<const std::uint64_t> counts) const {
  assert(num_states >= 1 && std::ranges::is_sorted(counts));
  std::vector<Term> result(counts.size(), 0);
  std::size_t next = 0;
  const auto skip_to = [&](std::uint64_t n, Term term) {
    for (; next < counts.size() && counts[next] == n; ++next) result[next] = term;
  };
  skip_to(0, 0);
  if (!counts.empty()) for_each_term(num_states, counts.back(), skip_to);
  return result;
}

}  // namespace treebound

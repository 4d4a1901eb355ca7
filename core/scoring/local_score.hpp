// Decomposable, score-equivalent scores as differences of two sums over joint states.
//
// Every score here has the form  score(X | P) = T(X u P) - T(P) - penalty(X, P)  with
// T(S) = sum over the joint states s of S of term(n_s, |S|), where n_s counts the rows in state s and |S| is
// the size of the state space. For BIC and AIC term(n) = n log n, so the difference is the
// log-likelihood; for BDeu term(n, |S|) = log Gamma(n + a/|S|) - log Gamma(a/|S|), Heckerman, Geiger and
// Chickering 1995. A score is thus a table of terms per state space size, looked up once per occupied cell:
// no logarithm is taken while counting.
//
// Terms are kept as integers in units of 2^-shift. Integers add up to the same sum in any order, so a score
// does not depend on how the counts were obtained, on the number of threads or on vector width. The unit is
// about 1e-13 for 5,000 rows; its rounding is far below that of a double holding the score.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace treebound {

using Term = std::int64_t;

/// T(X u P) and T(P) of one family, and the number of joint states of P that occur.
struct FamilyTerms {
  Term joint;
  Term parents;
  std::uint32_t num_configurations;
};

/// Not safe to share between threads: tables are made when first needed. Each thread takes a copy by
/// clone().
class LocalScore {
 public:
  /// `largest_term` bounds the size of a term per row that it counts.
  LocalScore(std::size_t num_rows, double largest_term);
  virtual ~LocalScore() = default;
  virtual std::unique_ptr<LocalScore> clone() const = 0;

  struct Tables {
    const Term* joint;
    const Term* parents;
  };
  /// Terms, indexed by count, for a family and for its parents, given the sizes of their state spaces. Valid
  /// until the next call.
  virtual Tables tables(double joint_states, double parent_states) = 0;
  /// Terms of some counts, ascending, in a state space of a size: the entries of its table without the table,
  /// for counts of more rows than a table has room for.
  virtual std::vector<Term> terms(double num_states, std::span<const std::uint64_t> counts) const = 0;
  /// What a family pays for its parameters, at least zero.
  virtual double penalty(double child_states, double parent_states) const = 0;

  double score(const FamilyTerms& family, double child_states, double parent_states) const {
    return to_double(family.joint - family.parents) - penalty(child_states, parent_states);
  }
  double to_double(Term term) const { return static_cast<double>(term) * unit_; }
  std::size_t num_rows() const { return num_rows_; }

 protected:
  Term to_term(double value) const;

  std::size_t num_rows_;
  double unit_;
};

/// Bayesian information criterion: log-likelihood minus (log N / 2) (|X| - 1) |P|, the latter times
/// `penalty`.
class Bic final : public LocalScore {
 public:
  explicit Bic(std::size_t num_rows, double penalty = 1);
  std::unique_ptr<LocalScore> clone() const override { return std::make_unique<Bic>(*this); }
  Tables tables(double, double) override;
  std::vector<Term> terms(double, std::span<const std::uint64_t> counts) const override;
  double penalty(double child_states, double parent_states) const override {
    return half_log_rows_ * (child_states - 1) * parent_states;
  }

 private:
  /// Made when first needed, by any of the copies that share it.
  struct Table {
    std::once_flag is_made;
    std::vector<Term> terms;
  };
  Term term(std::uint64_t count) const;

  double half_log_rows_;
  std::shared_ptr<Table> table_ = std::make_shared<Table>();
};

/// Bayesian Dirichlet equivalent uniform: the log marginal likelihood under a uniform prior worth
/// `equivalent_sample_size` rows.
class Bdeu final : public LocalScore {
 public:
  Bdeu(std::size_t num_rows, double equivalent_sample_size);
  std::unique_ptr<LocalScore> clone() const override { return std::make_unique<Bdeu>(*this); }
  Tables tables(double joint_states, double parent_states) override;
  std::vector<Term> terms(double num_states, std::span<const std::uint64_t> counts) const override;
  double penalty(double, double) const override { return 0; }

 private:
  const Term* table(double num_states);
  /// Calls use(count, term) for the counts 1, 2, ... up to the last.
  template <typename Use>
  void for_each_term(double num_states, std::uint64_t last, Use&& use) const;

  double equivalent_sample_size_;
  std::unordered_map<double, std::vector<Term>> tables_;
};

}  // namespace treebound

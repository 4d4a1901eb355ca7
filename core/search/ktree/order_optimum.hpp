// The optimum of an order, from the back: the best structure over all choices of k-cliques when the variables
// enter in a given order. This is what k-A* looks for, found without choosing a k-clique anywhere.
//
// Eliminate the variables from the last to the first. The *separator* of v has the parents of v and what the
// separators behind it demand: S(v) = P(v) and every S(w) - v whose latest member is v. Parent sets make a
// k-tree of the order if and only if no separator behind the root has more than k members: then v can join a
// k-clique that holds S(v), and otherwise there is none. So the parents of a variable are decided when all
// demands on it are known, and nothing is decided that no parent set needs. From the front, where k-cliques
// must be chosen before it is known which variables need them, there are far more states.
//
// The prefixes of the order are solved one after the other ("Russian dolls"). The optimum of a prefix,
// extended by the best set of the next variable that its separators allow, is the first answer for the next
// prefix. A search from the back then looks for a better one. What it can still reach is bounded by the loss
// of a shorter prefix, proved before, together with the loss of each variable behind that which must take
// another set because of what is demanded of it. A search without open demands ends: what is before is
// solved. The memory is that of one path.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/ktree/separator_demands.hpp"
#include "search/problem.hpp"

namespace treebound {

class OrderOptimum {
 public:
  explicit OrderOptimum(const SearchProblem& problem);

  /// Called before each search, and now and then within one, with a loss that the order cannot go below;
  /// returns whether to give up.
  using GiveUp = std::function<bool(double proved_loss)>;

  /// Solves the order for all variables behind the root, in at most so many decisions; false if it gave up.
  /// Then the prefix that is solved is completed with the best sets that fit, one variable after the other.
  bool solve(std::span<const VariableId> order, std::uint64_t max_decisions, const GiveUp& gives_up);

  /// Of the variables behind the root: what they score at most in this order, and what is lost of that.
  double sum_of_best() const { return sum_of_best_; }
  double loss() const { return prefixes_[order_.size() - 1].loss; }
  std::uint64_t num_decisions() const { return num_decisions_; }

  /// The parent set of the variable at a place behind the root, and its separator.
  EntryId chosen(std::uint32_t place) const { return options_[place][choice_[place]].entry; }
  void write_separator(std::uint32_t place, std::vector<VariableId>& separator) const;

 private:
  using Place = SeparatorDemands::Place;
  struct Option {
    double loss;  // against the best feasible set
    EntryId entry;
    std::uint32_t first, size;  // of parents_, the latest first
  };
  /// The choice for a prefix: down to `begin`; before that, the one for the prefix that ends there.
  struct Prefix {
    double loss = 0;
    Place begin = 0;
    std::vector<std::uint32_t> options;  // from the last place down
  };
  struct Branch {
    double loss;
    std::uint32_t option;
    std::uint32_t first, size;  // of branch_members_: the separator
  };

  std::span<const Place> parents(const Option& option) const {
    return {parents_.data() + option.first, option.size};
  }
  void read(std::span<const VariableId> order);
  void read_options(Place place);
  bool extend(Place last);
  void improve(Place last);
  void restore(Place last);
  std::uint32_t first_that_fits(Place place);
  void search(Place place, double lost);
  void end_search(Place place, double lost);
  double bound(Place place, double lost) const;
  void list_branches(Place place, double affordable);
  bool is_dominated(std::size_t first_branch, std::span<const Place> separator) const;
  double least_loss(Place place);
  bool should_end();

  const SearchProblem& problem_;
  std::uint32_t width_;
  std::vector<VariableId> order_;
  std::vector<Place> place_of_;
  std::vector<std::vector<Option>> options_;  // by place, best first
  std::vector<Place> parents_;
  double sum_of_best_ = 0;
  std::vector<Prefix> prefixes_;       // by last place
  std::vector<std::uint32_t> choice_;  // for the longest prefix so far, and its separators
  SeparatorDemands separators_;

  // Of the search for a better choice.
  Place last_ = 0;
  double upper_ = 0;  // loss of the best choice known
  bool is_improved_ = false, has_given_up_ = false;
  SeparatorDemands demands_;
  std::vector<double> least_;  // loss that the demands leave each place
  std::vector<double> saved_least_;
  std::vector<std::uint32_t> path_;  // options chosen from the back, by place
  std::vector<Branch> branches_;
  std::vector<Place> branch_members_;
  std::uint64_t num_decisions_ = 0, max_decisions_ = 0;
  const GiveUp* gives_up_ = nullptr;
};

}  // namespace treebound

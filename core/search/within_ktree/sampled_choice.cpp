#include "search/within_ktree/sampled_choice.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace treebound {

SampledChoice::SampledChoice(std::uint32_t num_variables) : current_(num_variables) {}

std::uint32_t SampledChoice::clique_of(VariableId latest) const {
  const std::uint32_t place = tree_->positions()[latest];
  return place <= tree_->width() ? 0 : place - tree_->width();
}

std::uint32_t SampledChoice::slot_in(std::uint32_t clique, VariableId v) const {
  const VariableId named = tree_->order()[tree_->width() + clique];
  const auto separator = tree_->separator(named);
  return static_cast<std::uint32_t>(std::ranges::find(separator, v) - separator.begin());
}

void SampledChoice::plan(const GrowingKTree& tree, const ParentChoices& choices) {
  tree_ = &tree;
  choices_ = &choices;
  const std::uint32_t width = tree.width();
  num_members_ = width + 1;
  const auto num_cliques = static_cast<std::uint32_t>(tree.order().size() - width);
  joined_.assign(num_cliques, 0);
  slots_there_.resize(std::size_t{num_cliques} * num_members_);
  ranks_.resize(std::size_t{num_cliques} * num_members_);
  for (std::uint32_t clique = 1; clique < num_cliques; ++clique) {
    const auto separator = tree.separator(tree.order()[width + clique]);
    joined_[clique] = separator.empty() ? 0 : clique_of(tree.latest(separator));
    std::uint32_t* slots = slots_there_.data() + std::size_t{clique} * num_members_;
    slots[width] = width * num_members_ / 2;  // the sum of all slots, less those that are there
    for (std::uint32_t i = 0; i < width; ++i) {
      slots[i] = slot_in(joined_[clique], separator[i]);
      slots[width] -= slots[i];
    }
  }
  cliques_.clear();
  slots_.clear();
  slot_offsets_.assign(1, 0);
  for (VariableId v = 0; v < choices.num_variables(); ++v)
    for (std::uint32_t choice = choices.first(v); choice < choices.end(v); ++choice) {
      VariableId latest = v;
      for (const VariableId u : choices.parents(choice))
        if (tree.positions()[u] > tree.positions()[latest]) latest = u;
      cliques_.push_back(clique_of(latest));
      slots_.push_back(slot_in(cliques_.back(), v));
      for (const VariableId u : choices.parents(choice)) slots_.push_back(slot_in(cliques_.back(), u));
      slot_offsets_.push_back(static_cast<std::uint32_t>(slots_.size()));
    }
}

void SampledChoice::draw_orders(RandomStream& random) {
  std::iota(ranks_.begin(), ranks_.begin() + num_members_, Rank{0});
  for (std::uint32_t i = num_members_; i > 1; --i) std::swap(ranks_[i - 1], ranks_[random.below(i)]);
  for (std::size_t clique = 1; clique < joined_.size(); ++clique) {
    const Rank* from = ranks_.data() + std::size_t{joined_[clique]} * num_members_;
    const std::uint32_t* slots = slots_there_.data() + clique * num_members_;
    Rank* to = ranks_.data() + clique * num_members_;
    const std::uint32_t width = num_members_ - 1;
    const Rank left_out = from[slots[width]];
    const Rank own = random.below(num_members_);
    for (std::uint32_t i = 0; i < width; ++i) {
      Rank rank = from[slots[i]];
      if (rank > left_out) --rank;
      if (rank >= own) ++rank;
      to[i] = rank;
    }
    to[width] = own;
  }
}

double SampledChoice::choose() {
  double total = 0;
  for (VariableId v = 0; v < current_.size(); ++v) {
    const auto precedes = [&](std::uint32_t choice) {
      const Rank* ranks = ranks_.data() + std::size_t{cliques_[choice]} * num_members_;
      const Rank own = ranks[slots_[slot_offsets_[choice]]];
      for (std::uint32_t i = slot_offsets_[choice] + 1; i < slot_offsets_[choice + 1]; ++i)
        if (ranks[slots_[i]] > own) return false;
      return true;
    };
    std::uint32_t choice = choices_->first(v);
    while (!precedes(choice)) ++choice;
    current_[v] = choice;
    total += choices_->score(choice);
  }
  return total;
}

void SampledChoice::solve(std::uint32_t num_samples, RandomStream& random, const Run& run,
                          std::span<std::uint32_t> chosen) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::uint32_t sample = 0; sample < num_samples; ++sample) {
    if (sample > 0 && run.should_stop()) return;
    draw_orders(random);
    const double score = choose();
    if (score <= best) continue;
    best = score;
    std::ranges::copy(current_, chosen.begin());
  }
}

}  // namespace treebound

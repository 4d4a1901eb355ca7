// A growing array in blocks of one size, which never move: at most one block is unused, and nothing is
// copied on the way, where a vector that doubles holds up to three times what it needs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace treebound {

template <typename Element, std::size_t kBlockSize = std::size_t{1} << 16>
class BlockVector {
 public:
  BlockVector() = default;
  BlockVector(BlockVector&&) = default;
  BlockVector& operator=(BlockVector&&) = default;

  /// One past the last position in use; positions that `append` skipped count too.
  std::size_t size() const { return size_; }
  const Element& operator[](std::size_t position) const {
    return blocks_[position / kBlockSize][position % kBlockSize];
  }
  Element& operator[](std::size_t position) { return blocks_[position / kBlockSize][position % kBlockSize]; }

  void push_back(const Element& element) { append(std::span(&element, 1)); }

  /// Puts up to a block of elements next to each other and returns the position of the first. Where they do
  /// not fit into the rest of a block the next one is begun.
  std::size_t append(std::span<const Element> elements) {
    if (size_ % kBlockSize + elements.size() > kBlockSize) size_ = blocks_.size() * kBlockSize;
    if (size_ == blocks_.size() * kBlockSize)
      blocks_.push_back(std::make_unique_for_overwrite<Element[]>(kBlockSize));
    const std::size_t first = size_;
    Element* const place = blocks_.back().get() + first % kBlockSize;
    for (std::size_t i = 0; i < elements.size(); ++i) place[i] = elements[i];
    size_ += elements.size();
    return first;
  }

 private:
  std::vector<std::unique_ptr<Element[]>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace treebound

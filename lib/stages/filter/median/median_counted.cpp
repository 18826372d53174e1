// SPDX-License-Identifier: Apache-2.0
// Large medians on the CPU. Every value in a tile gets a unique rank 0, 1, 2, ... in order. A
// window is then a set of bits, one for each rank. It slides to and fro, and each step removes the
// bits of one column and adds those of another (Huang, Yang and Tang 1979, with ranks instead of
// grey levels). The search for the median starts at the previous one, and the number of bits below
// its word is kept up to date.
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/instruction_set.h"
#include "stages/filter/median/median.h"
#include "stages/filter/median/median_rows.h"

namespace cuimg {
namespace {

constexpr int tile_width = 128;

/// One channel of a part of the target, and the current window's bits.
template <class T>
class RankTile {
 public:
  using Key = typename Order<T>::Key;

  /// @param part relative to the target.
  RankTile(const KeyRows<T>& keys, int size, int channel, const Rect& part)
      : size_(size), width_(part.width), height_(part.height), pitch_(part.width + size - 1) {
    const int rows = height_ + size - 1;
    const auto count = static_cast<std::size_t>(pitch_ * rows);
    std::vector<std::uint32_t> unsorted;
    unsorted.reserve(count);
    std::vector<std::uint16_t> places;
    places.reserve(count);
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < pitch_; ++x) {
        const Key key = keys.row(part.y + y)[(part.x + x) * keys.channels() + channel];
        if (KeyRows<T>::is_nan(key)) continue;
        unsorted.push_back(sortable(key));
        places.push_back(static_cast<std::uint16_t>(y * pitch_ + x));
      }
    sort(unsorted, places);
    ranks_.assign(count, no_rank);
    for (std::size_t i = 0; i < places.size(); ++i)
      ranks_[places[i]] = static_cast<std::uint16_t>(i);
    sorted_ = std::move(unsorted);
    bits_.assign(sorted_.size() / 64 + 1, 0);
  }

  /// @param out called with (x, y, key), relative to the tile.
  template <class Out>
  void run(const Out& out) {
    for (int y = 0; y < size_; ++y) change_row<true>(0, y);
    int x = 0, step = 1;
    for (int y = 0; y < height_; ++y) {
      if (y > 0) {
        change_row<false>(x, y - 1);
        change_row<true>(x, y + size_ - 1);
      }
      out(x, y, median());
      for (int k = 1; k < width_; ++k) {
        change_column<false>(step > 0 ? x : x + size_ - 1, y);
        x += step;
        change_column<true>(step > 0 ? x + size_ - 1 : x, y);
        out(x, y, median());
      }
      step = -step;
    }
  }

 private:
  static constexpr std::uint16_t no_rank = 0xffff;

  // Converts to unsigned numbers in the same order.
  static std::uint32_t sortable(Key key) {
    if constexpr (std::is_signed_v<Key>)
      return static_cast<std::uint32_t>(key) ^ 0x80000000u;
    else
      return key;
  }
  static Key key_of(std::uint32_t sortable) {
    if constexpr (std::is_signed_v<Key>)
      return static_cast<Key>(sortable ^ 0x80000000u);
    else
      return static_cast<Key>(sortable);
  }

  // A radix sort by digits of 8 bits, skipping digits in which all keys agree.
  static void sort(std::vector<std::uint32_t>& keys, std::vector<std::uint16_t>& places) {
    std::vector<std::uint32_t> other_keys(keys.size());
    std::vector<std::uint16_t> other_places(keys.size());
    std::uint32_t differing = 0;
    for (const std::uint32_t key : keys) differing |= key ^ keys.front();
    for (int shift = 0; shift < 32; shift += 8) {
      if ((differing >> shift & 255) == 0) continue;
      std::array<std::uint32_t, 256> starts{};
      for (const std::uint32_t key : keys) ++starts[key >> shift & 255];
      std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), 0u);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::uint32_t to = starts[keys[i] >> shift & 255]++;
        other_keys[to] = keys[i];
        other_places[to] = places[i];
      }
      keys.swap(other_keys);
      places.swap(other_places);
    }
  }

  template <bool enters>
  void change(std::uint16_t rank) {
    if (Order<T>::has_nan && rank == no_rank) return;
    bits_[rank >> 6] ^= std::uint64_t{1} << (rank & 63);
    const int one = enters ? 1 : -1;
    count_ += one;
    below_ += (rank >> 6) < word_ ? one : 0;
  }
  template <bool enters>
  void change_row(int x, int y) {
    const std::uint16_t* rank = ranks_.data() + y * pitch_ + x;
    for (int k = 0; k < size_; ++k) change<enters>(rank[k]);
  }
  template <bool enters>
  void change_column(int x, int y) {
    const std::uint16_t* rank = ranks_.data() + y * pitch_ + x;
    for (int k = 0; k < size_; ++k) change<enters>(rank[k * pitch_]);
  }

  Key median() {
    if (count_ == 0) return Order<T>::key(Order<T>::nan());
    const int wanted = (count_ - 1) / 2;
    while (below_ > wanted) below_ -= std::popcount(bits_[static_cast<std::size_t>(--word_)]);
    for (int here;
         below_ + (here = std::popcount(bits_[static_cast<std::size_t>(word_)])) <= wanted; ++word_)
      below_ += here;
    std::uint64_t word = bits_[static_cast<std::size_t>(word_)];
    for (int k = below_; k < wanted; ++k) word &= word - 1;
    return key_of(sorted_[static_cast<std::size_t>(word_ * 64 + std::countr_zero(word))]);
  }

  const int size_, width_, height_, pitch_;
  std::vector<std::uint16_t> ranks_;   ///< The rank of each place; no_rank for NaN.
  std::vector<std::uint32_t> sorted_;  ///< The key of each rank.
  std::vector<std::uint64_t> bits_;
  int count_ = 0;  ///< The number of bits that are set.
  int word_ = 0;   ///< The word that held the last median.
  int below_ = 0;  ///< The number of bits that are set in the words below it.
};

}  // namespace

template <class T>
void count_medians(const KeyRows<T>& keys, int size, const Frame& target) {
  const Rect& t = target.region();
  // Ranks have 16 bits, so a tile with its surroundings must have fewer values.
  constexpr int most_rows = 65535 / (tile_width + largest_median - 1) - largest_median + 1;
  for (int top = 0; top < t.height; top += most_rows) {
    const int height = std::min(most_rows, t.height - top);
    for (int left = 0; left < t.width; left += tile_width)
      for (int c = 0; c < keys.channels(); ++c) {
        const int width = std::min(tile_width, t.width - left);
        RankTile<T> tile(keys, size, c, {left, top, width, height});
        with_best_instructions([&] {
          tile.run([&](int x, int y, auto key) {
            std::memcpy(target.pixel(t.x + left + x, t.y + top + y) + sizeof(key) * c, &key,
                        sizeof key);
          });
        });
      }
  }
}

template void count_medians(const KeyRows<std::uint8_t>&, int, const Frame&);
template void count_medians(const KeyRows<std::uint16_t>&, int, const Frame&);
template void count_medians(const KeyRows<Half>&, int, const Frame&);
template void count_medians(const KeyRows<float>&, int, const Frame&);

}  // namespace cuimg

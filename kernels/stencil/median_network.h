// SPDX-License-Identifier: Apache-2.0
// The median of 3x3, 5x5 and 7x7 values by networks of minima and maxima, going down a column: each
// row is sorted once for all windows that contain it, neighbouring rows are merged once for all,
// and from rows that two or four windows share only the ranks that can be a median are kept
// (Chaudhuri 1990; Adams, "Fast median filters using separable sorting networks", 2021). Merging is
// Batcher's (Knuth, The Art of Computer Programming 3, 5.3.4); the
// compiler drops results that no code reads.
#pragma once

#include "kernels/math/platform.h"

/// Lists of keys are passed as values; without inlining they would be in memory. The emulated card
/// does not inline them: in every kernel this would take its compiler minutes.
#ifndef CUIMG_IN_REGISTERS
#define CUIMG_IN_REGISTERS inline __attribute__((always_inline))
#endif

namespace cuimg {

/// n keys in registers. K is an integer, or a vector of integers: any type with < and ?:.
template <class K, int n>
struct Keys {
  K v[n > 0 ? n : 1];
};

namespace detail {

template <int i>
struct Index {
  static constexpr int value = i;
};
template <int... i>
struct Indices {
  template <class Call>
  CUIMG_HD static CUIMG_IN_REGISTERS void each(const Call& call) {
    (call(Index<i>{}), ...);
  }
};
template <int n, int... i>
struct CountTo : CountTo<n - 1, n - 1, i...> {};
template <int... i>
struct CountTo<0, i...> {
  using type = Indices<i...>;
};

/// call(Index<0>), call(Index<1>), ...: a loop whose counter is a compile-time constant.
template <int n, class Call>
CUIMG_HD CUIMG_IN_REGISTERS void unrolled(const Call& call) {
  CountTo<n>::type::each(call);
}

template <class K>
CUIMG_HD CUIMG_IN_REGISTERS K lesser(const K& a, const K& b) {
  return b < a ? b : a;
}
template <class K>
CUIMG_HD CUIMG_IN_REGISTERS K greater(const K& a, const K& b) {
  return b < a ? a : b;
}

/// `count` of the keys, from `first` on with a distance of `step`.
template <int first, int count, int step = 1, class K, int n>
CUIMG_HD CUIMG_IN_REGISTERS Keys<K, count> part(const Keys<K, n>& keys) {
  Keys<K, count> result;
  unrolled<count>([&](auto i) { result.v[i.value] = keys.v[first + step * i.value]; });
  return result;
}

/// Both lists, sorted, as one sorted list.
template <class K, int m, int n>
CUIMG_HD CUIMG_IN_REGISTERS Keys<K, m + n> merged(const Keys<K, m>& a, const Keys<K, n>& b) {
  if constexpr (m == 0) {
    return b;
  } else if constexpr (n == 0) {
    return a;
  } else if constexpr (m == 1 && n == 1) {
    return {{lesser(a.v[0], b.v[0]), greater(a.v[0], b.v[0])}};
  } else {
    constexpr int odd = (m + 1) / 2 + (n + 1) / 2, even = m / 2 + n / 2;
    const auto v = merged(part<0, (m + 1) / 2, 2>(a), part<0, (n + 1) / 2, 2>(b));
    const auto w = merged(part<1, m / 2, 2>(a), part<1, n / 2, 2>(b));
    Keys<K, m + n> all;
    all.v[0] = v.v[0];
    unrolled<even>([&](auto i) {
      constexpr int k = decltype(i)::value;
      if constexpr (k + 1 < odd) {
        all.v[2 * k + 1] = lesser(w.v[k], v.v[k + 1]);
        all.v[2 * k + 2] = greater(w.v[k], v.v[k + 1]);
      } else {
        all.v[2 * k + 1] = w.v[k];
      }
    });
    if constexpr (odd == even + 2) all.v[m + n - 1] = v.v[odd - 1];
    return all;
  }
}

template <class K, int n>
CUIMG_HD CUIMG_IN_REGISTERS Keys<K, n> sorted(const Keys<K, n>& keys) {
  if constexpr (n <= 1)
    return keys;
  else
    return merged(sorted(part<0, n / 2>(keys)), sorted(part<n / 2, n - n / 2>(keys)));
}

/// The k-th, counted from 1, of two sorted lists together: i from one and k - i from the other are
/// at or below it; the lowest value over all such divisions of k is the result.
template <int k, class K, int m, int n>
CUIMG_HD CUIMG_IN_REGISTERS K ranked(const Keys<K, m>& a, const Keys<K, n>& b) {
  constexpr int first = k > n ? k - n : 0, last = k < m ? k : m;
  K result{};
  unrolled<last - first + 1>([&](auto index) {
    constexpr int i = first + decltype(index)::value, j = k - i;
    K bound;
    if constexpr (i == 0)
      bound = b.v[j - 1];
    else if constexpr (j == 0)
      bound = a.v[i - 1];
    else
      bound = greater(a.v[i - 1], b.v[j - 1]);
    if constexpr (i == first)
      result = bound;
    else
      result = lesser(result, bound);
  });
  return result;
}

/// From the sorted keys that all of the windows share, those that may be a median when a window's
/// last row is added.
template <int size, class K, int n>
CUIMG_HD CUIMG_IN_REGISTERS Keys<K, size + 1> candidates(const Keys<K, n>& shared) {
  constexpr int rank = (size * size + 1) / 2;
  return part<rank - size - 1, size + 1>(shared);
}

}  // namespace detail

/// A column of windows of size x size, from top to bottom.
template <class K, int size>
class MedianColumn;

// In each: `row(y)` gives the unsorted keys of row y around the column; out(y, key) receives the
// median of the window around row y. begin(y) comes first, then step(y), step(y + rows), ...

template <class K>
class MedianColumn<K, 3> {
 public:
  static constexpr int rows = 2;

  template <class Row>
  CUIMG_HD CUIMG_IN_REGISTERS void begin(int y, const Row& row) {
    above_ = detail::sorted(row(y - 1));
    here_ = detail::sorted(row(y));
  }
  template <class Row, class Out>
  CUIMG_HD CUIMG_IN_REGISTERS void step(int y, const Row& row, const Out& out) {
    using namespace detail;
    const Keys<K, 3> next = sorted(row(y + 1)), last = sorted(row(y + 2));
    const auto middle = candidates<3>(merged(here_, next));
    out(y, ranked<4>(middle, above_));
    out(y + 1, ranked<4>(middle, last));
    above_ = next;
    here_ = last;
  }

 private:
  Keys<K, 3> above_, here_;
};

template <class K>
class MedianColumn<K, 5> {
 public:
  static constexpr int rows = 2;

  template <class Row>
  CUIMG_HD CUIMG_IN_REGISTERS void begin(int y, const Row& row) {
    top_ = detail::sorted(row(y - 2));
    here_ = detail::sorted(row(y));
    pair_ = detail::merged(detail::sorted(row(y - 1)), here_);
    lead_ = detail::sorted(row(y + 1));
  }
  template <class Row, class Out>
  CUIMG_HD CUIMG_IN_REGISTERS void step(int y, const Row& row, const Out& out) {
    using namespace detail;
    const Keys<K, 5> next = sorted(row(y + 2)), last = sorted(row(y + 3));
    const Keys<K, 10> pair = merged(lead_, next);
    const auto middle = candidates<5>(merged(pair_, pair));
    out(y, ranked<6>(middle, top_));
    out(y + 1, ranked<6>(middle, last));
    top_ = here_;
    here_ = next;
    pair_ = pair;
    lead_ = last;
  }

 private:
  Keys<K, 5> top_, here_, lead_;  // rows y - 2, y, y + 1
  Keys<K, 10> pair_;              // rows y - 1 and y
};

template <class K>
class MedianColumn<K, 7> {
 public:
  static constexpr int rows = 4;

  template <class Row>
  CUIMG_HD CUIMG_IN_REGISTERS void begin(int y, const Row& row) {
    using namespace detail;
    top_ = sorted(row(y - 3));
    above_ = sorted(row(y - 1));
    below_ = sorted(row(y + 1));
    lead_ = sorted(row(y + 2));
    first_ = merged(sorted(row(y - 2)), above_);
    second_ = merged(sorted(row(y)), below_);
  }
  template <class Row, class Out>
  CUIMG_HD CUIMG_IN_REGISTERS void step(int y, const Row& row, const Out& out) {
    using namespace detail;
    const Keys<K, 7> row_3 = sorted(row(y + 3)), row_4 = sorted(row(y + 4));
    const Keys<K, 14> third = merged(lead_, row_3);
    // All four windows contain rows y to y + 3: of their 28 keys the lowest 3 and the highest 3
    // cannot be a median.
    const Keys<K, 22> shared = part<3, 22>(merged(second_, third));
    // Dropping three keys shifts every rank.
    const auto upper = part<14, 8>(merged(first_, shared));
    out(y, ranked<8>(upper, top_));
    out(y + 1, ranked<8>(upper, row_4));
    const Keys<K, 7> row_5 = sorted(row(y + 5)), row_6 = sorted(row(y + 6));
    const Keys<K, 14> fourth = merged(row_4, row_5);
    const auto lower = part<14, 8>(merged(fourth, shared));
    out(y + 2, ranked<8>(lower, above_));
    out(y + 3, ranked<8>(lower, row_6));
    top_ = below_;
    above_ = row_3;
    below_ = row_5;
    lead_ = row_6;
    first_ = third;
    second_ = fourth;
  }

 private:
  Keys<K, 7> top_, above_, below_, lead_;  // rows y - 3, y - 1, y + 1, y + 2
  Keys<K, 14> first_, second_;             // rows y - 2 and y - 1, y and y + 1
};

}  // namespace cuimg

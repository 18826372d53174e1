// SPDX-License-Identifier: Apache-2.0
// Finds values digit by digit: each pass over the image counts one digit of the keys of those
// values whose upper digits are already known to be right.
#include "stages/analyse/percentiles.h"

#include <algorithm>

#include "kernels/math/math.h"
#include "kernels/math/order.h"
#include "stages/analyse/channel_rows.h"

namespace cuimg {
namespace {

using Key = std::uint32_t;

// Keys sort as the values do.
Key key_of(float v) { return static_cast<Key>(order_key(v)) ^ 0x80000000u; }
Key key_of(std::uint32_t v) { return v; }

double value_of(Key key, bool is_id) {
  if (is_id) return key;
  return Order<float>::value(static_cast<std::int32_t>(key ^ 0x80000000u));
}

// A digit of the keys.
struct Digit {
  int shift, bits;

  Key above(Key key) const { return shift + bits < 32 ? key >> (shift + bits) : 0; }
  Key of(Key key) const { return key >> shift & ((Key{1} << bits) - 1); }
};
constexpr Digit digits[] = {{21, 11}, {10, 11}, {0, 10}};

// Counts how often each digit follows each of several sequences of upper digits.
struct DigitCounts {
  Digit digit;
  std::span<const Key> uppers;  // sorted, without duplicates
  std::vector<std::uint64_t> counts;

  DigitCounts(Digit d, std::span<const Key> upper_digits)
      : digit(d), uppers(upper_digits), counts(uppers.size() << d.bits) {}

  std::span<const std::uint64_t> after(Key upper) const {
    const auto at = std::ranges::lower_bound(uppers, upper) - uppers.begin();
    return std::span(counts).subspan(static_cast<std::size_t>(at) << digit.bits,
                                     std::size_t{1} << digit.bits);
  }
  void operator()(float v) {
    if (is_finite(v)) add(key_of(v));
  }
  void operator()(std::uint32_t v) { add(key_of(v)); }
  void merge(const DigitCounts& other) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  }

 private:
  void add(Key key) {
    const Key upper = digit.above(key);
    const auto at = std::ranges::lower_bound(uppers, upper);
    if (at == uppers.end() || *at != upper) return;
    ++counts[(static_cast<std::size_t>(at - uppers.begin()) << digit.bits) + digit.of(key)];
  }
};

// A value that is searched for.
struct Wanted {
  std::uint64_t rank;  ///< Its rank among the values with the same upper digits, from 0.
  Key upper = 0;       ///< The digits that are known so far.
};

void find_digit(const DigitCounts& counted, Wanted& wanted) {
  Key digit = 0;
  for (const std::uint64_t count : counted.after(wanted.upper)) {
    if (wanted.rank < count) break;
    wanted.rank -= count;
    ++digit;
  }
  wanted.upper = wanted.upper << counted.digit.bits | digit;
}

// The two neighbours of a position among the sorted values, and its distance from the first.
struct Place {
  std::size_t low, high;  ///< Indices into the channel's wanted values.
  double share;
};

struct Channel {
  std::vector<Place> places;
  std::vector<Wanted> values;
  std::vector<Key> uppers = {0};

  void want(std::uint64_t rank) { values.push_back({rank}); }
  void want_all(std::span<const double> percents, std::uint64_t count) {
    if (count == 0) return;
    for (const double percent : percents) {
      const double at = static_cast<double>(count - 1) * percent / 100;
      const auto rank = std::min(static_cast<std::uint64_t>(at), count - 1);
      places.push_back({values.size(), values.size() + 1, at - static_cast<double>(rank)});
      want(rank);
      want(std::min(rank + 1, count - 1));
    }
  }
  void renew_uppers() {
    uppers.clear();
    for (const Wanted& value : values) uppers.push_back(value.upper);
    std::ranges::sort(uppers);
    uppers.erase(std::unique(uppers.begin(), uppers.end()), uppers.end());
  }
  std::vector<double> numbers(bool is_id) const {
    std::vector<double> result;
    for (const Place& place : places) {
      const double low = value_of(values[place.low].upper, is_id);
      const double high = value_of(values[place.high].upper, is_id);
      result.push_back(place.share == 0 ? low : low + (high - low) * place.share);
    }
    return result;
  }
};

}  // namespace

std::vector<std::vector<std::vector<double>>> percentiles_of(const Image& image,
                                                             const ReportContext& context,
                                                             std::span<const double> percents) {
  const Spec& spec = image.spec();
  std::vector<std::vector<Channel>> channels;
  for (const LayerSpec& layer : spec.layers) channels.emplace_back(layer.channels.size());
  for (const Digit& digit : digits) {
    const auto counted = tally_channels<DigitCounts>(image, context, [&](int l, int c) {
      return DigitCounts(digit,
                         channels[static_cast<std::size_t>(l)][static_cast<std::size_t>(c)].uppers);
    });
    for (std::size_t l = 0; l < counted.size(); ++l)
      for (std::size_t c = 0; c < counted[l].size(); ++c) {
        Channel& channel = channels[l][c];
        const DigitCounts& counts = counted[l][c];
        if (digit.shift == digits[0].shift) {
          std::uint64_t all = 0;
          for (const std::uint64_t count : counts.counts) all += count;
          channel.want_all(percents, all);
        }
        for (Wanted& value : channel.values) find_digit(counts, value);
      }
    for (std::vector<Channel>& layer : channels)
      for (Channel& channel : layer) channel.renew_uppers();
  }
  std::vector<std::vector<std::vector<double>>> result(spec.layers.size());
  for (std::size_t l = 0; l < channels.size(); ++l) {
    if (!context.layers.contains(l)) continue;
    for (const Channel& channel : channels[l])
      result[l].push_back(channel.numbers(spec.layers[l].type == PixelType::u32));
  }
  return result;
}

}  // namespace cuimg

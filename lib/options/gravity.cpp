// SPDX-License-Identifier: Apache-2.0
#include "options/gravity.h"

namespace cuimg {
namespace {

int placed(int outer, int inner, bool to_start, bool to_end) {
  const int rest = outer - inner;
  return to_start ? 0 : to_end ? rest : rest / 2;
}

}  // namespace

int placed_x(Gravity g, int outer, int inner) {
  const bool west = g == Gravity::west || g == Gravity::northwest || g == Gravity::southwest;
  const bool east = g == Gravity::east || g == Gravity::northeast || g == Gravity::southeast;
  return placed(outer, inner, west, east);
}

int placed_y(Gravity g, int outer, int inner) {
  const bool north = g == Gravity::north || g == Gravity::northeast || g == Gravity::northwest;
  const bool south = g == Gravity::south || g == Gravity::southeast || g == Gravity::southwest;
  return placed(outer, inner, north, south);
}

std::span<const Choice<Gravity>> choices_of(Gravity) {
  static constexpr Choice<Gravity> choices[] = {
      {Gravity::center, "center"},       {Gravity::north, "north"},
      {Gravity::south, "south"},         {Gravity::east, "east"},
      {Gravity::west, "west"},           {Gravity::northeast, "northeast"},
      {Gravity::northwest, "northwest"}, {Gravity::southeast, "southeast"},
      {Gravity::southwest, "southwest"}};
  return choices;
}

}  // namespace cuimg

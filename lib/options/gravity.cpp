// SPDX-License-Identifier: Apache-2.0
#include "options/gravity.h"

namespace cuimg {
namespace {

int placed(int outer, int inner, bool to_start, bool to_end) {
  const int rest = outer - inner;
  return to_start ? 0 : to_end ? rest : rest / 2;
}

bool is_west(Gravity g) {
  return g == Gravity::west || g == Gravity::northwest || g == Gravity::southwest;
}
bool is_east(Gravity g) {
  return g == Gravity::east || g == Gravity::northeast || g == Gravity::southeast;
}
bool is_north(Gravity g) {
  return g == Gravity::north || g == Gravity::northeast || g == Gravity::northwest;
}
bool is_south(Gravity g) {
  return g == Gravity::south || g == Gravity::southeast || g == Gravity::southwest;
}

}  // namespace

int placed_x(Gravity g, int outer, int inner) {
  return placed(outer, inner, is_west(g), is_east(g));
}

int placed_y(Gravity g, int outer, int inner) {
  return placed(outer, inner, is_north(g), is_south(g));
}

float inward_x(Gravity gravity, float at) { return is_east(gravity) ? -at : at; }

float inward_y(Gravity gravity, float at) { return is_south(gravity) ? -at : at; }

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

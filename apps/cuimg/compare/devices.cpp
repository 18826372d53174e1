// SPDX-License-Identifier: Apache-2.0
#include "devices.h"

#include <cstdio>

#include "base/error.h"
#include "pipeline/run/card_choice.h"

namespace cuimg {

MeasuringChoice measuring_choice(const DeviceChoice& choice) {
  using enum DeviceChoice::Kind;
  using Kind = MeasuringChoice::Kind;
  switch (choice.kind) {
    case cpu:
      return {Kind::processor};
    case cuda:
      return {Kind::cards, meant_cards(choice.cards)};
    case both:
      return {Kind::both, {choice.first_card()}};
    case automatic:
      break;
  }
  return {Kind::automatic, {}, milliseconds_worth_a_card()};
}

void warn_of_device(const std::string& line) {
  std::fputs(("cuimg: " + printable(line) + "\n").c_str(), stderr);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "devices.h"

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

}  // namespace cuimg

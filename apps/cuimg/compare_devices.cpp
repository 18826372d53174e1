// SPDX-License-Identifier: Apache-2.0
#include "compare_devices.h"

#include "pipeline/run/execution.h"

namespace cuimg {

CompareDevices compare_devices(const DeviceChoice& choice) {
  using enum DeviceChoice::Kind;
  if (choice.kind == automatic || choice.kind == cpu) return {};
  if (choice.kind == both) return {{choice.first_card()}, true};
  if (!choice.cards.empty()) return {choice.cards};
  CompareDevices found;
  for (const DeviceInfo& card : known_cards().devices)
    if (card.problem.empty()) found.cards.push_back(card.index);
  // Opening it says why there is none.
  if (found.cards.empty()) found.cards = {0};
  return found;
}

CompareQueues::CompareQueues(const CommonOptions& common)
    : both_(common.device.kind == DeviceChoice::Kind::both),
      processor_(Queue::cpu(common.threads)) {
  const CompareDevices devices = compare_devices(common.device);
  if (!devices.cards.empty())
    with_named_cards([&] { card_.emplace(devices.cards.front(), common.threads); });
}

}  // namespace cuimg

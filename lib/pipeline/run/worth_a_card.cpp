// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/worth_a_card.h"

#include "base/error.h"
#include "device/queue.h"
#include "options/parameter.h"

namespace cuimg {

double milliseconds_worth_a_card(const Environment& environment) {
  double milliseconds = 300;
  const char* const name = "CUIMG_AUTO_CARD_MS";
  if (const auto text = environment(name)) {
    try {
      parse_value(*text, at_least(0), milliseconds);
    } catch (const BadValue& bad) {
      throw Error(name, *text + " " + bad.problem, bad.advice);
    }
  }
  return milliseconds;
}

bool is_worth_a_card(const Plan& plan, int threads) {
  return plan.cost_ns() / 1e6 / Queue::cpu(threads).threads() > milliseconds_worth_a_card();
}

}  // namespace cuimg

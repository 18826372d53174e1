// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/card_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/threads.h"
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

CardChoice::CardChoice(std::size_t images, int threads)
    : images_(images), threads_(threads > 0 ? threads : hardware_threads()) {}

double CardChoice::images_left() const {
  const std::size_t begun = begun_;
  return static_cast<double>(begun < images_ ? images_ - begun + 1 : 1);
}

bool CardChoice::has_learned() const {
  const std::lock_guard lock(mutex_);
  return estimated_ > 0;
}

// For the stages of one image.
double CardChoice::processor_milliseconds(const Plan& plan) const {
  const std::lock_guard lock(mutex_);
  return plan.cost_ns() / 1e6 * (estimated_ > 0 ? measured_ / estimated_ : 1);
}

// The gain for one image, in processor time: the time of the stages, minus that of the copies
// through pinned memory and of the calls, of which there are about twenty however small the image
// is.
double CardChoice::gain_milliseconds(const Plan& plan) const {
  constexpr double copy_bytes_per_millisecond = 6e6;  // of one core, in both directions
  constexpr double calls_milliseconds = 0.1;
  const double copied = static_cast<double>(plan.input.pixel_bytes() + plan.output().pixel_bytes());
  return processor_milliseconds(plan) - copied / copy_bytes_per_millisecond - calls_milliseconds;
}

// A context costs more than its creation: the process also takes longer to end. An estimate that no
// image has confirmed may be three times the CPU's real time, and the first of several images soon
// confirms or corrects it.
double CardChoice::least_gain_milliseconds() const {
  constexpr double with_its_end = 1.25, unconfirmed = 4;
  return milliseconds_worth_a_card() * (images_ > 1 && !has_learned() ? unconfirmed : with_its_end);
}

bool CardChoice::is_worth(const Plan& plan) const {
  if (lost_ || plan.steps.empty()) return false;
  if (milliseconds_worth_a_card() == 0) return true;
  const double gain = gain_milliseconds(plan);
  return has_begun_ ? gain > 0 : images_left() * gain / threads_ > least_gain_milliseconds();
}

bool CardChoice::begins_on_cpu(const Plan& plan) {
  if (waits_for_card() || processor_milliseconds(plan) >= milliseconds_worth_a_card()) return false;
  return first_on_cpu_++ < std::max(1, threads_ / 2);
}

std::string CardChoice::reason(const Plan& plan) const {
  if (lost_) return "auto: the CPU, since the card has failed";
  if (has_begun_ && plan.takes_card)
    return fmt::format("auto: a card, already in use: it saves about {:.0f} ms",
                       gain_milliseconds(plan) / threads_);
  const double gain = images_left() * gain_milliseconds(plan) / threads_;
  return fmt::format(
      "auto: {}: for {:.0f} such image{} it would save about {:.0f} ms{}; making its context pays "
      "from {:.0f} ms",
      plan.takes_card ? "a card" : "the CPU, not a card", images_left(),
      images_left() == 1 ? "" : "s", std::max(0.0, gain), has_learned() ? "" : " by estimate alone",
      least_gain_milliseconds());
}

void CardChoice::learn(const Plan& plan, double processor_milliseconds) {
  const std::lock_guard lock(mutex_);
  estimated_ += plan.cost_ns() / 1e6;
  measured_ += processor_milliseconds;
}

}  // namespace cuimg

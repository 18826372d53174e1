// SPDX-License-Identifier: Apache-2.0
// Decides when --device auto uses a card, for all images of a command together, since the card's
// context is made only once.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>

#include "base/environment.h"
#include "pipeline/plan.h"

namespace cuimg {

/// Milliseconds for creating a card's context: a card only pays off if the CPU is slower by more
/// than this, over all images. The variable CUIMG_AUTO_CARD_MS replaces the usual 300: for tests,
/// and for machines where 300 is a bad guess; with 0 a card is always used. @throws Error if it is
/// not a number of at least 0.
double milliseconds_worth_a_card(const Environment& environment = process_environment());

/// Used by all threads of a command.
class CardChoice {
 public:
  /// @param images of the command. @param threads of the CPU, 0: all.
  CardChoice(std::size_t images, int threads);

  /// Whether a card is clearly faster for the remaining images, if all are like this one: compares
  /// the CPU's time for their stages with the copies to a card and back and, if there is no context
  /// yet, its creation and destruction. Decoding and encoding are not included, since the CPU does
  /// them anyway.
  bool is_worth(const Plan& plan) const;
  /// The reason for the value of Plan::takes_card, for --explain.
  std::string reason(const Plan& plan) const;
  bool has_several_images() const { return images_ > 1; }
  /// Whether every image waits for the card: a single image has no alternative. With several, the
  /// CPU does the first ones until a context exists, unless a card is always used.
  bool waits_for_card() const { return images_ <= 1 || milliseconds_worth_a_card() == 0; }
  /// Whether the CPU runs the plan while a context is created: if the image is one of the first and
  /// takes less time than the context. Only for a few images, since creating a context takes three
  /// times as long while all threads work.
  bool begins_on_cpu(const Plan& plan);

  /// Called when an image was begun, so that one fewer is left.
  void begin_image() { ++begun_; }
  /// Reports the time that the CPU took for a plan; later estimates are scaled by it.
  void learn(const Plan& plan, double processor_milliseconds);
  /// A context is being created, with whatever result.
  void begin_card() { has_begun_ = true; }
  bool has_begun_card() const { return has_begun_; }
  /// A card has run a plan.
  void work() { has_worked_ = true; }
  /// Reports that a card failed: no card is used any more. @returns whether one has run plans until
  /// now.
  bool lose_card() { return !lost_.exchange(true) && has_worked_; }
  bool is_lost() const { return lost_; }

 private:
  bool has_learned() const;
  double processor_milliseconds(const Plan& plan) const;
  double gain_milliseconds(const Plan& plan) const;
  double least_gain_milliseconds() const;
  double images_left() const;

  const std::size_t images_;
  const int threads_;
  std::atomic<std::size_t> begun_ = 0;
  std::atomic<int> first_on_cpu_ = 0;
  std::atomic<bool> has_begun_ = false, has_worked_ = false, lost_ = false;
  mutable std::mutex mutex_;
  double estimated_ = 0, measured_ = 0;  ///< Milliseconds of plans that the CPU has run.
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// When --device auto takes a card: decided for all images of a command together, since the card's
// context is made once.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>

#include "base/environment.h"
#include "pipeline/plan.h"

namespace cuimg {

/// Milliseconds that making a card's context takes: what the CPU must be slower by, over all
/// images, before a card is of use. The variable CUIMG_AUTO_CARD_MS replaces the usual 300: for
/// tests, and for machines where 300 is a bad guess; with 0 a card is always of use. @throws Error
/// when it is no number of at least 0.
double milliseconds_worth_a_card(const Environment& environment = process_environment());

/// Used by all threads of a command.
class CardChoice {
 public:
  /// @param images of the command. @param threads of the CPU, 0: all.
  CardChoice(std::size_t images, int threads);

  /// Whether the CPU would take clearly longer over the stages of as many images as are left, were
  /// all like this one, than the copies to a card and back and the making and ending of a context,
  /// unless there is one. Decoding and encoding count for neither: the CPU does them anyway.
  bool is_worth(const Plan& plan) const;
  /// Why Plan::takes_card is what it is, for --explain.
  std::string reason(const Plan& plan) const;
  bool has_several_images() const { return images_ > 1; }
  /// Whether every image waits for the card: one alone has nothing else to do. The first of several
  /// are done by the CPU until a context is there, unless a card is always of use.
  bool waits_for_card() const { return images_ <= 1 || milliseconds_worth_a_card() == 0; }
  /// Whether the CPU does the plan while a context is made: it is one of the first, and done sooner
  /// than that. A few, since a context takes three times as long while all threads work.
  bool begins_on_cpu(const Plan& plan);

  /// An image was begun, and one fewer is left.
  void begin_image() { ++begun_; }
  /// What a plan took the CPU in fact; later decisions scale their estimates by what came of
  /// earlier ones.
  void learn(const Plan& plan, double processor_milliseconds);
  /// A context is being made, whatever comes of it.
  void begin_card() { has_begun_ = true; }
  bool has_begun_card() const { return has_begun_; }
  /// A card has done a plan.
  void work() { has_worked_ = true; }
  /// A card failed: none is taken any more. @returns whether one did plans until now.
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
  double estimated_ = 0, measured_ = 0;  ///< Milliseconds of plans that the CPU has done.
};

}  // namespace cuimg

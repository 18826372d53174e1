// SPDX-License-Identifier: Apache-2.0
// Chooses where the pairs of a command are measured. Every device gives the same figures, so the
// CPU can take over pairs that do not fit on a card or at which it fails.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/card_session.h"
#include "device/device_error.h"
#include "device/queue.h"

namespace cuimg {

struct MeasuringChoice {
  enum class Kind : std::uint8_t {
    processor,
    cards,      ///< In turn.
    both,       ///< The processor and the first card, whose figures must be the same.
    automatic,  ///< The cards, if they are faster.
  };
  Kind kind = Kind::processor;
  std::vector<int> cards = {};  ///< For an automatic choice: all available cards.
  /// The time to create a card's context: an automatic choice does not use a card that saves less.
  double worth_milliseconds = 300;
};

/// Shared by all pairs and threads of a command.
class MeasuringDevices {
 public:
  /// @param pairs of the command. @param threads of the processor, 0: all.
  /// @param warn gets a line for the user; called by any thread, one at a time.
  MeasuringDevices(MeasuringChoice choice, std::size_t pairs, int threads,
                   std::function<void(const std::string&)> warn);
  MeasuringDevices(const MeasuringDevices&) = delete;
  MeasuringDevices& operator=(const MeasuringDevices&) = delete;

  const MeasuringChoice& choice() const { return choice_; }
  /// Called when a pair has been compared, so that one fewer is left.
  void end_pair() { ++ended_; }

 private:
  friend class Measurer;

  bool is_automatic() const { return choice_.kind == MeasuringChoice::Kind::automatic; }
  /// A single pair waits until a card's context exists. With several pairs, the CPU measures the
  /// first ones.
  bool waits_for_card() const { return pairs_ <= 1 || choice_.worth_milliseconds == 0; }
  double estimated_milliseconds(double given) const;
  double pairs_left() const;
  /// Whether a card saves more time than creating its context takes, if the remaining pairs are
  /// like this one.
  /// @param milliseconds of one core. @param explanation gets the reason.
  bool is_worth(double milliseconds, double copied_bytes, std::string& explanation);
  void learn(double estimated, double measured);
  /// For an automatic choice, when a card is worth it: warms up the first card.
  void begin_with_cards();
  /// A remaining card, tried in order from the first-th on, which gets one more user; with an
  /// automatic choice a card that few threads use. @param waits until there is one, or none is
  /// left.
  std::optional<int> take_card(std::size_t first, bool waits);
  void give_back(int card);
  bool has_other(int card) const;
  /// @returns whether this is the first report.
  bool lose(int card);
  bool are_all_lost() const;
  void warn(const std::string& line);

  const MeasuringChoice choice_;
  const std::size_t pairs_;
  const int threads_;
  const std::function<void(const std::string&)> warn_;
  std::atomic<std::size_t> ended_ = 0;
  std::atomic<bool> has_begun_ = false;   ///< Whether a context is being created, or exists.
  std::atomic<bool> has_worked_ = false;  ///< Whether a card has measured anything.
  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< signals that users_ has changed
  std::map<int, int> users_;         ///< The number of users for each remaining card.
  /// Milliseconds of the work that the processor has measured.
  double estimated_ = 0, measured_ = 0;
};

/// One thread's queues.
class Measurer {
 public:
  /// Estimated cost of measuring a part of a pair.
  struct Cost {
    double milliseconds = 0;  ///< On one core.
    double copied_bytes = 0;  ///< Bytes copied to a card.
  };

  /// @param thread the thread's number within the command. @param threads of the processor for this
  /// thread.
  /// @throws DeviceError for a requested card that cannot be used.
  Measurer(MeasuringDevices& devices, int thread, int threads);
  /// Uses only the processor.
  explicit Measurer(int threads = 0);
  ~Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  const Queue& processor() const { return processor_; }
  /// Null, or the card whose figures must equal the processor's.
  const Queue* also() const;
  /// Calls measure(queue), and again on another device if a card fails; then the results of the
  /// first call must be discarded.
  /// @param name of the pair, for a message if a requested card is out of memory.
  /// @returns the reason for the device that measured. @throws DeviceError if a requested card
  /// fails before it has measured anything, and what `measure` throws.
  std::string run(const std::string& name, const Cost& cost,
                  const std::function<void(const Queue& queue)>& measure);

 private:
  class Card;

  enum class After : std::uint8_t { fail, next_card, processor };

  bool wants_card(const Cost& cost, std::string& explanation);
  /// Whether waiting for a card is pointless, because the processor is done before the card's
  /// context exists.
  bool is_quick_here(const Cost& cost) const;
  After after(const DeviceError& error, int card, const std::string& name,
              std::string& explanation);
  void measure_here(const Cost& cost, const std::function<void(const Queue& queue)>& measure);

  std::unique_ptr<MeasuringDevices> own_;
  MeasuringDevices& devices_;
  const std::size_t thread_;
  const int threads_;
  Queue processor_;
  std::unique_ptr<Card> card_;
};

}  // namespace cuimg

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
    cards,      ///< By turns.
    both,       ///< The processor and the first card, whose figures have to be the same.
    automatic,  ///< The cards where they are faster.
  };
  Kind kind = Kind::processor;
  std::vector<int> cards = {};  ///< Of an automatic choice: all that there are.
  /// What making a card's context takes: an automatic choice begins with none that saves less.
  double worth_milliseconds = 300;
};

/// Shared by all pairs and threads of a command.
class MeasuringDevices {
 public:
  /// @param pairs of the command. @param threads of the processor, 0: all.
  /// @param warn gets a line for people; called by any thread, one at a time.
  MeasuringDevices(MeasuringChoice choice, std::size_t pairs, int threads,
                   std::function<void(const std::string&)> warn);
  MeasuringDevices(const MeasuringDevices&) = delete;
  MeasuringDevices& operator=(const MeasuringDevices&) = delete;

  const MeasuringChoice& choice() const { return choice_; }
  /// A pair was compared, and one fewer is left.
  void end_pair() { ++ended_; }

 private:
  friend class Measurer;

  bool is_automatic() const { return choice_.kind == MeasuringChoice::Kind::automatic; }
  /// A single pair waits until a card's context exists. With several pairs, the CPU measures the
  /// first ones.
  bool waits_for_card() const { return pairs_ <= 1 || choice_.worth_milliseconds == 0; }
  double estimated_milliseconds(double given) const;
  double pairs_left() const;
  /// Whether a card saves more than its context takes, if what is left is like this.
  /// @param milliseconds of a core. @param explanation gets the reason.
  bool is_worth(double milliseconds, double copied_bytes, std::string& explanation);
  void learn(double estimated, double measured);
  /// Of an automatic choice, once a card is worth it: warms up the first.
  void begin_with_cards();
  /// A card that is left, from the first-th on in turn, with one user more; with an automatic
  /// choice one that few threads use. @param waits until there is one, or none is left.
  std::optional<int> take_card(std::size_t first, bool waits);
  void give_back(int card);
  bool has_other(int card) const;
  /// @returns whether nobody has said so before.
  bool lose(int card);
  bool are_all_lost() const;
  void warn(const std::string& line);

  const MeasuringChoice choice_;
  const std::size_t pairs_;
  const int threads_;
  const std::function<void(const std::string&)> warn_;
  std::atomic<std::size_t> ended_ = 0;
  std::atomic<bool> has_begun_ = false;   ///< A context is being made, or there.
  std::atomic<bool> has_worked_ = false;  ///< A card has measured something.
  mutable std::mutex mutex_;
  std::condition_variable changed_;      ///< users_ has.
  std::map<int, int> users_;             ///< Of each card that is left.
  double estimated_ = 0, measured_ = 0;  ///< Milliseconds of what the processor has measured.
};

/// One thread's queues.
class Measurer {
 public:
  /// Estimated cost of measuring a part of a pair.
  struct Cost {
    double milliseconds = 0;  ///< Of one core.
    double copied_bytes = 0;  ///< To a card.
  };

  /// @param thread counts the threads of the command. @param threads of the processor for this one.
  /// @throws DeviceError for a card that is asked for and cannot be used.
  Measurer(MeasuringDevices& devices, int thread, int threads);
  /// The processor alone.
  explicit Measurer(int threads = 0);
  ~Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  const Queue& processor() const { return processor_; }
  /// Null, or the card whose figures have to be the same as the processor's.
  const Queue* also() const;
  /// Calls measure(queue), again on another device where a card fails; what the first call has done
  /// is then to be forgotten.
  /// @param name of the pair, for a line where a card that was asked for has no room.
  /// @returns why it was measured where it was. @throws DeviceError where a card that was asked for
  /// fails before it has measured anything, and what `measure` throws.
  std::string run(const std::string& name, const Cost& cost,
                  const std::function<void(const Queue& queue)>& measure);

 private:
  class Card;

  enum class After : std::uint8_t { fail, next_card, processor };

  bool wants_card(const Cost& cost, std::string& explanation);
  /// Whether a card is not to be waited for: the processor is done before its context is there.
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

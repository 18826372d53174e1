// SPDX-License-Identifier: Apache-2.0
#include "compare/measurer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/threads.h"

namespace cuimg {

using Devices = MeasuringChoice::Kind;

// A card's queue, and the thread's slot on that card.
class Measurer::Card {
 public:
  Card(MeasuringDevices& devices, int number, int threads) : devices_(devices), number_(number) {
    try {
      lease_.emplace(number, threads);
    } catch (...) {
      devices.give_back(number);
      throw;
    }
  }
  ~Card() {
    lease_.reset();
    devices_.give_back(number_);
  }
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  int number() const { return number_; }
  const Queue& queue() { return **lease_; }

 private:
  MeasuringDevices& devices_;
  const int number_;
  std::optional<CardQueueLease> lease_;
};

MeasuringDevices::MeasuringDevices(MeasuringChoice choice, std::size_t pairs, int threads,
                                   std::function<void(const std::string&)> warn)
    : choice_(std::move(choice)),
      pairs_(pairs),
      threads_(threads > 0 ? threads : hardware_threads()),
      warn_(std::move(warn)) {
  for (const int card : choice_.cards) users_[card] = 0;
}

double MeasuringDevices::estimated_milliseconds(double given) const {
  const std::lock_guard lock(mutex_);
  return given * (estimated_ > 0 ? measured_ / estimated_ : 1);
}

double MeasuringDevices::pairs_left() const {
  const std::size_t ended = ended_;
  return static_cast<double>(ended < pairs_ ? pairs_ - ended : 1);
}

void MeasuringDevices::learn(double estimated, double measured) {
  const std::lock_guard lock(mutex_);
  estimated_ += estimated;
  measured_ += measured;
}

bool MeasuringDevices::is_worth(double milliseconds, double copied_bytes,
                                std::string& explanation) {
  constexpr double copy_bytes_per_millisecond = 6e6;  // of one core, through pinned memory
  const double gain =
      estimated_milliseconds(milliseconds) - copied_bytes / copy_bytes_per_millisecond;
  if (has_begun_) {
    explanation = fmt::format("auto: {}, already in use: it saves about {:.0f} ms",
                              gain > 0 ? "a card" : "the CPU, not a card", std::max(0.0, gain));
    return gain > 0;
  }
  const double all = pairs_left() * gain / threads_;
  const bool is_worth = choice_.worth_milliseconds == 0 || all > choice_.worth_milliseconds;
  explanation = fmt::format(
      "auto: {}: for {:.0f} such pair{} it would save about {:.0f} ms, and starting it takes "
      "{:.0f} ms",
      is_worth ? "a card" : "the CPU, not a card", pairs_left(), pairs_left() == 1 ? "" : "s",
      std::max(0.0, all), choice_.worth_milliseconds);
  return is_worth;
}

void MeasuringDevices::begin_with_cards() {
  const std::lock_guard lock(mutex_);
  if (has_begun_.exchange(true)) return;
  for (const int card : meant_cards({})) users_[card] = 0;
  warm_up_cuda(users_.begin()->first);
}

std::optional<int> MeasuringDevices::take_card(std::size_t first, bool waits) {
  // One copies, another runs kernels, and a third starts or ends: more threads would only wait.
  constexpr int most_users = 4;
  std::unique_lock lock(mutex_);
  std::vector<int> free;
  const auto find = [&] {
    free.clear();
    for (const auto& [card, users] : users_)
      if (!is_automatic() || users < most_users) free.push_back(card);
    return !free.empty() || users_.empty();
  };
  if (!find() && waits) changed_.wait(lock, find);
  if (free.empty()) return std::nullopt;
  const int card = free[first % free.size()];
  ++users_[card];
  return card;
}

void MeasuringDevices::give_back(int card) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto left = users_.find(card); left != users_.end()) --left->second;
  }
  changed_.notify_all();
}

bool MeasuringDevices::has_other(int card) const {
  const std::lock_guard lock(mutex_);
  return users_.size() > users_.count(card);
}

bool MeasuringDevices::lose(int card) {
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = users_.erase(card) > 0;
  }
  changed_.notify_all();
  return is_first;
}

bool MeasuringDevices::are_all_lost() const {
  const std::lock_guard lock(mutex_);
  return users_.empty();
}

void MeasuringDevices::warn(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (warn_) warn_(line);
}

Measurer::Measurer(MeasuringDevices& devices, int thread, int threads)
    : devices_(devices),
      thread_(static_cast<std::size_t>(thread)),
      threads_(threads),
      processor_(Queue::cpu(threads)) {
  const Devices kind = devices.choice().kind;
  if (kind != Devices::cards && kind != Devices::both) return;
  // If this thread's card has already been lost, another thread has reported it.
  if (const auto number = devices.take_card(kind == Devices::both ? 0 : thread_, false))
    card_ = std::make_unique<Card>(devices, *number, threads);
}

Measurer::Measurer(int threads)
    : own_(std::make_unique<MeasuringDevices>(MeasuringChoice(), 1, threads, nullptr)),
      devices_(*own_),
      thread_(0),
      threads_(threads),
      processor_(Queue::cpu(threads)) {}

Measurer::~Measurer() = default;

const Queue* Measurer::also() const {
  return devices_.choice().kind == Devices::both ? &card_->queue() : nullptr;
}

std::string Measurer::run(const std::string& name, const Cost& cost,
                          const std::function<void(const Queue& queue)>& measure) {
  std::string explanation;
  const bool is_automatic = devices_.is_automatic();
  while (wants_card(cost, explanation)) {
    const bool waits = is_automatic && !is_quick_here(cost);
    const std::optional<int> card =
        card_ ? std::optional(card_->number()) : devices_.take_card(thread_, waits);
    if (!card) {
      if (is_automatic) explanation = "auto: the CPU, while the card is busy";
      break;
    }
    if (is_automatic && !waits && is_being_opened(*card)) {
      devices_.give_back(*card);
      explanation = "auto: the CPU, while the card's context is made";
      break;
    }
    try {
      if (!card_) card_ = std::make_unique<Card>(devices_, *card, threads_);
      measure(card_->queue());
      devices_.has_worked_ = true;
      if (explanation.empty()) explanation = card_->queue().name();
      if (is_automatic) card_.reset();  // leaves the slot to another thread
      return explanation;
    } catch (const DeviceError& error) {
      const After then = after(error, *card, name, explanation);
      if (then == After::fail) throw;
      if (then == After::processor) break;
    } catch (...) {
      if (is_automatic) card_.reset();
      throw;
    }
  }
  measure_here(cost, measure);
  return explanation.empty() ? processor_.name() : explanation;
}

bool Measurer::wants_card(const Cost& cost, std::string& explanation) {
  if (!devices_.is_automatic()) return devices_.choice().kind == Devices::cards;
  if (devices_.has_begun_ && devices_.are_all_lost()) {
    explanation = "auto: the CPU, since the card has failed";
    return false;
  }
  if (!devices_.is_worth(cost.milliseconds, cost.copied_bytes, explanation)) return false;
  const std::optional<bool> has_driver =
      is_quick_here(cost) ? may_have_cuda_yet() : may_have_cuda();
  if (!has_driver.value_or(false)) {
    explanation = has_driver ? "auto: the CPU, since there is no card"
                             : "auto: the CPU, while the driver is asked for cards";
    return false;
  }
  devices_.begin_with_cards();
  return true;
}

bool Measurer::is_quick_here(const Cost& cost) const {
  return !devices_.waits_for_card() &&
         devices_.estimated_milliseconds(cost.milliseconds) / processor_.threads() <
             devices_.choice().worth_milliseconds;
}

Measurer::After Measurer::after(const DeviceError& error, int card, const std::string& name,
                                std::string& explanation) {
  const bool is_automatic = devices_.is_automatic();
  if (error.lacks_room()) {
    if (is_automatic) card_.reset();
    explanation = std::string("the CPU, since the card has no room: ") + error.what();
    if (!is_automatic)
      devices_.warn(name + ": " + error.what() + "; the CPU measures it, with the same figures");
    return After::processor;
  }
  explanation = std::string("the CPU, since the card has failed: ") + error.what();
  // If a requested card never worked, the command is wrong.
  const bool others = devices_.has_other(card);
  if (!is_automatic && !devices_.has_worked_ && !others) return After::fail;
  const bool was_open = card_ != nullptr;
  if (is_automatic) card_.reset();
  if (was_open && !is_card_broken(card)) return is_automatic ? After::processor : After::fail;
  card_.reset();
  if (devices_.lose(card) && (others || devices_.has_worked_))
    devices_.warn("cuda:" + std::to_string(card) + ": " + error.what() +
                  (others ? "; the other cards do its work" : "; the CPU does the rest"));
  return others ? After::next_card : After::processor;
}

void Measurer::measure_here(const Cost& cost,
                            const std::function<void(const Queue& queue)>& measure) {
  const auto begin = std::chrono::steady_clock::now();
  measure(processor_);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  devices_.learn(cost.milliseconds, taken.count() * processor_.threads());
}

}  // namespace cuimg

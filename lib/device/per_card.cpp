// SPDX-License-Identifier: Apache-2.0
#include "device/per_card.h"

#include <algorithm>
#include <utility>

#include "device/card_backend.h"

namespace cuimg {

struct KeptOnCards::OneCard {
  explicit OneCard(int card_index) : index(card_index) {}
  OneCard(const OneCard&) = delete;
  OneCard& operator=(const OneCard&) = delete;
  // The memory returns to the queue that made the value, which orders its later work after its
  // earlier work. Other queues' work must end first.
  ~OneCard() {
    for (const auto& queue : others) {
      try {
        card::synchronize(*queue);
      } catch (const DeviceError&) {  // a broken card has stopped
      }
    }
  }

  const int index;
  std::mutex mutex;
  std::shared_ptr<CudaQueue> maker;
  std::vector<std::shared_ptr<CudaQueue>> others;
  Value value;  // destroyed before its queue
};

KeptOnCards::OneCard& KeptOnCards::card(int index) {
  const std::lock_guard lock(mutex_);
  for (const auto& known : cards_)
    if (known->index == index) return *known;
  return *cards_.emplace_back(std::make_shared<OneCard>(index));
}

KeptOnCards::Value KeptOnCards::of(CudaQueue& queue, const std::function<Value()>& make) {
  OneCard& kept = card(card::index(queue));
  const std::lock_guard lock(kept.mutex);
  if (!kept.value) {
    Value made = make();
    if (!made) return nullptr;
    kept.maker = card::shared(queue);
    kept.value = std::move(made);
    return kept.value;
  }
  const auto is_this = [&](const auto& known) { return known.get() == &queue; };
  if (!is_this(kept.maker) && std::ranges::none_of(kept.others, is_this)) {
    kept.others.reserve(kept.others.size() + 1);
    card::synchronize(*kept.maker);
    kept.others.push_back(card::shared(queue));
  }
  return kept.value;
}

}  // namespace cuimg

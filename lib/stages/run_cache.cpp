// SPDX-License-Identifier: Apache-2.0
#include "stages/run_cache.h"

namespace cuimg {

RunCache::Value RunCache::find_or_make(const Key& key, bool is_recent,
                                       const std::function<Value()>& make) {
  constexpr std::size_t most_recent = 32;
  std::promise<Value> mine;
  std::shared_future<Value> value = mine.get_future().share();
  bool is_mine = false;
  {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = values_.try_emplace(key, value);
    is_mine = is_new;
    value = entry->second;
    if (is_new && is_recent) {
      recent_.push_back(key);
      if (recent_.size() > most_recent) {
        values_.erase(recent_.front());
        recent_.pop_front();
      }
    }
  }
  if (is_mine) {
    try {
      mine.set_value(make());
    } catch (...) {
      mine.set_exception(std::current_exception());
    }
  }
  return value.get();
}

}  // namespace cuimg

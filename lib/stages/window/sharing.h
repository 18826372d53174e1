// SPDX-License-Identifier: Apache-2.0
// Work shared out among a queue's threads, or done in one piece by what is itself a part.
#pragma once

#include <functional>

#include "device/queue.h"

namespace cuimg {

/// Calls work(0) ... work(count - 1), perhaps on several threads.
using Sharing = std::function<void(int count, const std::function<void(int)>& work)>;

/// On the queue's threads, or one after the other, for an operation that is itself a part.
inline Sharing sharing_on(const Queue& queue, bool shares) {
  return [&queue, shares](int count, const std::function<void(int)>& work) {
    if (shares) return queue.for_each(count, work);
    for (int i = 0; i < count; ++i) work(i);
  };
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// How many threads this process may really use: containers and batch systems grant fewer than the
// machine has. And starting one.
#pragma once

#include <functional>
#include <system_error>
#include <thread>

namespace cuimg {

/// The least of the affinity mask's processors, the control groups' quota, and what limits of
/// processes leave room for; at least 1.
int hardware_threads();

/// std::thread, whose error says what the system has no more of.
/// @throws std::system_error when no thread is to be had.
std::thread start_thread(std::function<void()> task);
/// For what starts threads by other ways.
[[noreturn]] void fail_to_start_thread(const std::system_error& error);

}  // namespace cuimg

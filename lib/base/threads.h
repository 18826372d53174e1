// SPDX-License-Identifier: Apache-2.0
// The number of threads that this process may use, since containers and batch systems grant fewer
// than the machine has, and a function to start one.
#pragma once

#include <functional>
#include <system_error>
#include <thread>

namespace cuimg {

/// The least of the affinity mask's processors, the control groups' quota, and the number that
/// limits of processes allow; at least 1.
int hardware_threads();

/// Starts a std::thread; its error names the exhausted resource. @throws std::system_error if no
/// thread can be started.
std::thread start_thread(std::function<void()> task);
/// For code that starts threads by other means.
[[noreturn]] void fail_to_start_thread(const std::system_error& error);

}  // namespace cuimg

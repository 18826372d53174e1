// SPDX-License-Identifier: Apache-2.0
// Objects that the stages of one command make once for all inputs: second images, maps, tables and
// kernels that options name, and tables for inputs of one size.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <utility>

namespace cuimg {

/// Exists while a command runs, and serves one set of common options. May be used from several
/// threads; a thread that requests an object which another thread is making waits for it.
class RunCache {
 public:
  /// Files that only one input reads. For a missing file, whose image is black, the file that
  /// defines its form; for all others "".
  using OwnFiles = std::map<std::string, std::string>;

  RunCache() = default;
  /// For one input: keeps objects made from its own files, which are freed with it, and uses
  /// `shared` for everything that belongs to all inputs.
  RunCache(RunCache& shared, OwnFiles own) : shared_(&shared), own_(std::move(own)) {}

  /// The cache for objects made from this file.
  RunCache& of_file(const std::string& path) {
    return shared_ == nullptr || own_.contains(path) ? *this : *shared_;
  }
  /// Empty if the file exists. Otherwise it is missing, and is replaced by a black image with the
  /// form of the file of this name.
  std::string black_form(const std::string& path) const {
    const auto found = own_.find(path);
    return found == own_.end() ? "" : found->second;
  }

  /// The result of `make` for this type and name, now or earlier. An exception is passed to all
  /// callers: a file that cannot be read is not tried again.
  /// @param make () -> std::shared_ptr<const T>.
  template <class T, class Make>
  std::shared_ptr<const T> once(const std::string& name, const Make& make) {
    return std::static_pointer_cast<const T>(
        find_or_make({typeid(T), name}, false, [&] { return std::shared_ptr<const T>(make()); }));
  }
  /// Like once(), but only the latest few are kept, of all types together: for objects that depend
  /// on an input's size, of which a folder may have any number.
  template <class T, class Make>
  std::shared_ptr<const T> recent(const std::string& name, const Make& make) {
    if (shared_ != nullptr) return shared_->recent<T>(name, make);
    return std::static_pointer_cast<const T>(
        find_or_make({typeid(T), name}, true, [&] { return std::shared_ptr<const T>(make()); }));
  }

  /// Records the memory of an object: other images, with all their pixels.
  void add_held(std::uint64_t bytes) { held_bytes_ += bytes; }
  /// The total, including those of `shared`.
  std::uint64_t held_bytes() const {
    return held_bytes_ + (shared_ != nullptr ? shared_->held_bytes() : 0);
  }
  /// Without those of `shared`.
  std::uint64_t own_bytes() const { return held_bytes_; }

 private:
  using Key = std::pair<std::type_index, std::string>;
  using Value = std::shared_ptr<const void>;
  Value find_or_make(const Key& key, bool is_recent, const std::function<Value()>& make);

  RunCache* const shared_ = nullptr;
  const OwnFiles own_ = {};
  std::atomic<std::uint64_t> held_bytes_ = 0;
  std::mutex mutex_;
  std::map<Key, std::shared_future<Value>> values_;
  std::deque<Key> recent_;  ///< From the oldest on.
};

/// Like RunCache::once() for an object made from a file, but without a cache if there is none.
/// @param cache null: `make` is called every time.
template <class T, class Make>
std::shared_ptr<const T> once_a_run(RunCache* cache, const std::string& file,
                                    const std::string& name, const Make& make) {
  return cache != nullptr ? cache->of_file(file).once<T>(name, make)
                          : std::shared_ptr<const T>(make());
}

/// The same for RunCache::recent().
template <class T, class Make>
std::shared_ptr<const T> recently_in_run(RunCache* cache, const std::string& name,
                                         const Make& make) {
  return cache != nullptr ? cache->recent<T>(name, make) : std::shared_ptr<const T>(make());
}

}  // namespace cuimg

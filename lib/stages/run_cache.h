// SPDX-License-Identifier: Apache-2.0
// What the stages of one command make once for all its inputs: second images, maps, tables and
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

/// Lives as long as a command runs, and serves one set of common options. May be used from several
/// threads; those that ask for what another one is making wait for it.
class RunCache {
 public:
  /// Files that one input alone reads. Of one that is missing, whose image is black instead, the
  /// file that says its form; of all others "".
  using OwnFiles = std::map<std::string, std::string>;

  RunCache() = default;
  /// Of one input: keeps what is made of its own files, which goes with it, and passes on to
  /// `shared` what is of all inputs.
  RunCache(RunCache& shared, OwnFiles own) : shared_(&shared), own_(std::move(own)) {}

  /// The one that keeps what is made of a file.
  RunCache& of_file(const std::string& path) {
    return shared_ == nullptr || own_.contains(path) ? *this : *shared_;
  }
  /// Empty: the file is there. Else it is missing: it is black, and else as the one of this name.
  std::string black_form(const std::string& path) const {
    const auto found = own_.find(path);
    return found == own_.end() ? "" : found->second;
  }

  /// What `make` returned for this type and name, now or earlier. What it threw is thrown to all
  /// callers: a file that cannot be read is not tried again.
  /// @param make () -> std::shared_ptr<const T>.
  template <class T, class Make>
  std::shared_ptr<const T> once(const std::string& name, const Make& make) {
    return std::static_pointer_cast<const T>(
        find_or_make({typeid(T), name}, false, [&] { return std::shared_ptr<const T>(make()); }));
  }
  /// As once(), but only the latest few are kept, of all types together: for what depends on an
  /// input's size, of which a folder may have any number.
  template <class T, class Make>
  std::shared_ptr<const T> recent(const std::string& name, const Make& make) {
    if (shared_ != nullptr) return shared_->recent<T>(name, make);
    return std::static_pointer_cast<const T>(
        find_or_make({typeid(T), name}, true, [&] { return std::shared_ptr<const T>(make()); }));
  }

  /// Notes that something here takes so much memory: other images, of which it holds all pixels.
  void add_held(std::uint64_t bytes) { held_bytes_ += bytes; }
  /// All of them, those of `shared` too.
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
  std::deque<Key> recent_;  ///< The oldest first.
};

/// As RunCache::once(), for what is made of a file, but a cache may be missing.
/// @param cache null: `make` is called every time.
template <class T, class Make>
std::shared_ptr<const T> once_a_run(RunCache* cache, const std::string& file,
                                    const std::string& name, const Make& make) {
  return cache != nullptr ? cache->of_file(file).once<T>(name, make)
                          : std::shared_ptr<const T>(make());
}

/// Likewise RunCache::recent().
template <class T, class Make>
std::shared_ptr<const T> recently_in_run(RunCache* cache, const std::string& name,
                                         const Make& make) {
  return cache != nullptr ? cache->recent<T>(name, make) : std::shared_ptr<const T>(make());
}

}  // namespace cuimg

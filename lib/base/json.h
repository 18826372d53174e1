// SPDX-License-Identifier: Apache-2.0
// Values to print as JSON. The library that writes them takes seconds to compile, so only json.cpp
// includes it.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuimg {

/// A null, a boolean, a number, a text, a list, or an object whose members keep their order.
class Json {
 public:
  using Member = std::pair<std::string_view, Json>;

  Json(std::nullptr_t = nullptr);
  Json(std::same_as<bool> auto value) : Json(Truth{value}) {}
  template <std::signed_integral T>
  Json(T value) : Json(static_cast<std::int64_t>(value), 0) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value) : Json(static_cast<std::uint64_t>(value), 0) {}
  /// A float is printed with the digits of its value as a double. NaN and infinities become null.
  Json(double value);
  /// Invalid UTF-8, as in names of files, is printed as U+FFFD; see set().
  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  template <class T>
  Json(const std::vector<T>& items) : Json(list()) {
    for (const T& item : items) push(item);
  }
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(Json other) noexcept;
  ~Json();

  static Json list(std::initializer_list<Json> items = {});
  static Json object(std::initializer_list<Member> members = {});

  /// Appends to a list.
  void push(Json item);
  /// Sets a member of an object; a new one becomes the last. If a text, or one in a list, is not
  /// UTF-8, the member NAME_base64 is added with the bytes of the text, or of all texts.
  void set(std::string_view name, Json value);

  /// On one line, without a line end.
  std::string text() const;
  /// On a separate line: the form of a report.
  std::string line() const { return text() + "\n"; }
  /// On several lines, indented by two.
  std::string indented() const;

 private:
  struct Truth {
    bool value;
  };
  struct Value;
  explicit Json(Truth truth);
  Json(std::int64_t value, int);
  Json(std::uint64_t value, int);

  std::unique_ptr<Value> value_;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/bytes.h"
#include "base/utf8.h"

namespace cuimg {

using Library = nlohmann::ordered_json;

struct Json::Value {
  Library json;
};

namespace {

bool is_no_utf8(const Library& value) {
  if (value.is_array()) return std::any_of(value.begin(), value.end(), is_no_utf8);
  return value.is_string() && !is_utf8(value.get_ref<const std::string&>());
}

// For a text, or for the texts in a list.
Library base64_of(const Library& value) {
  if (value.is_string())
    return base64(std::as_bytes(std::span(value.get_ref<const std::string&>())));
  Library list = Library::array();
  if (value.is_array())
    for (const Library& item : value) list.push_back(base64_of(item));
  return list;
}

}  // namespace

Json::Json(std::nullptr_t) : value_(new Value) {}
Json::Json(Truth truth) : value_(new Value{truth.value}) {}
Json::Json(std::int64_t value, int) : value_(new Value{value}) {}
Json::Json(std::uint64_t value, int) : value_(new Value{value}) {}
Json::Json(double value) : value_(new Value{value}) {}
Json::Json(std::string_view text) : value_(new Value{std::string(text)}) {}
Json::Json(const Json& other) : value_(new Value(*other.value_)) {}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json other) noexcept {
  value_ = std::move(other.value_);
  return *this;
}
Json::~Json() = default;

Json Json::list(std::initializer_list<Json> items) {
  Json list;
  list.value_->json = Library::array();
  for (const Json& item : items) list.push(item);
  return list;
}

Json Json::object(std::initializer_list<Member> members) {
  Json object;
  object.value_->json = Library::object();
  for (const auto& [name, value] : members) object.set(name, value);
  return object;
}

void Json::push(Json item) { value_->json.push_back(std::move(item.value_->json)); }

void Json::set(std::string_view name, Json value) {
  const std::string key(name);
  const Library& set = value_->json[key] = std::move(value.value_->json);
  if (is_no_utf8(set)) {
    Library bytes = base64_of(set);
    value_->json[key + "_base64"] = std::move(bytes);
  }
}

std::string Json::text() const {
  return value_->json.dump(-1, ' ', false, Library::error_handler_t::replace);
}

std::string Json::indented() const {
  return value_->json.dump(2, ' ', false, Library::error_handler_t::replace);
}

}  // namespace cuimg

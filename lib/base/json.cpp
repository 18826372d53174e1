// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <nlohmann/json.hpp>

namespace cuimg {

using Library = nlohmann::ordered_json;

struct Json::Value {
  Library json;
};

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
  value_->json[std::string(name)] = std::move(value.value_->json);
}

std::string Json::text() const {
  return value_->json.dump(-1, ' ', false, Library::error_handler_t::replace);
}

std::string Json::indented() const {
  return value_->json.dump(2, ' ', false, Library::error_handler_t::replace);
}

}  // namespace cuimg

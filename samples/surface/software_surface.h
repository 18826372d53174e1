// SPDX-License-Identifier: Apache-2.0
// A surface in software: rows of bytes. A value of any type is stored or loaded at a byte's offset,
// without filtering or conversion. The boundary mode decides what happens beyond the edge.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "build_config.h"

namespace cuimg::samples {

/// Like cudaSurfaceBoundaryMode: the nearest value inside; stores are dropped and loads give 0; an
/// error.
enum class Boundary { clamp, zero, trap };

class SoftwareSurface {
 public:
  SoftwareSurface(int row_bytes, int rows)
      : row_bytes_(row_bytes), rows_(rows), bytes_(static_cast<std::size_t>(row_bytes * rows)) {}

  template <class T>
  void write(T value, int x_bytes, int y, Boundary boundary) {
    if (std::byte* place = find(x_bytes, y, sizeof(T), boundary))
      std::memcpy(place, &value, sizeof(T));
  }
  template <class T>
  T read(int x_bytes, int y, Boundary boundary) {
    T value = {};
    if (const std::byte* place = find(x_bytes, y, sizeof(T), boundary))
      std::memcpy(&value, place, sizeof(T));
    return value;
  }

 private:
  std::byte* find(int x_bytes, int y, std::size_t size, Boundary boundary) {
    const int last = row_bytes_ - static_cast<int>(size);
    if (x_bytes < 0 || x_bytes > last || y < 0 || y >= rows_) {
      if (boundary == Boundary::trap) throw std::out_of_range("a surface's store or load");
      if (boundary == Boundary::zero) return nullptr;
    }
    return bytes_.data() + std::clamp(y, 0, rows_ - 1) * row_bytes_ + std::clamp(x_bytes, 0, last);
  }

  int row_bytes_, rows_;
  std::vector<std::byte> bytes_;
};

/// Calls the sample's fill_on_card() or its fill_on_cpu().
template <class Fill>
std::vector<float> fill_surface(bool on_card, const Fill& fill) {
  if constexpr (build::has_cuda)
    if (on_card) return fill_on_card(fill);
  return fill_on_cpu(fill);
}

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
#include "image/dct_image.h"

#include <algorithm>

#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

int share_of(int side, int samples, int most_samples) {
  const std::int64_t all = std::int64_t{side} * samples;
  return static_cast<int>(ceil_div(all, most_samples));
}

int most(const std::vector<DctComponent>& components, int DctComponent::*samples) {
  int result = 1;
  for (const DctComponent& component : components) result = std::max(result, component.*samples);
  return result;
}

}  // namespace

int DctLayout::h_samples() const { return most(components, &DctComponent::h_samples); }
int DctLayout::v_samples() const { return most(components, &DctComponent::v_samples); }

std::size_t DctLayout::blocks() const {
  std::size_t all = 0;
  for (const DctComponent& component : components) all += component.stored_blocks();
  return all;
}

int DctLayout::width_samples(const DctComponent& component) const {
  return share_of(width, component.h_samples, h_samples());
}

int DctLayout::height_samples(const DctComponent& component) const {
  return share_of(height, component.v_samples, v_samples());
}

void count_blocks(DctLayout& layout) {
  for (DctComponent& component : layout.components) {
    component.width_blocks = ceil_div(layout.width_samples(component), 8);
    component.height_blocks = ceil_div(layout.height_samples(component), 8);
    component.stored_width_blocks = round_up(component.width_blocks, component.h_samples);
    component.stored_height_blocks = round_up(component.height_blocks, component.v_samples);
  }
}

DctImage::DctImage(DctLayout layout)
    : layout_(std::move(layout)),
      memory_(allocate_pixels(layout_.bytes(), "a picture's coefficients, for its")) {}

std::int16_t* DctImage::blocks(std::size_t component) {
  std::size_t before = 0;
  for (std::size_t i = 0; i < component; ++i) before += layout_.components[i].stored_blocks();
  return reinterpret_cast<std::int16_t*>(memory_.get()) + before * 64;
}

const std::int16_t* DctImage::blocks(std::size_t component) const {
  return const_cast<DctImage*>(this)->blocks(component);
}

}  // namespace cuimg

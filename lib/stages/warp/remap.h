// SPDX-License-Identifier: Apache-2.0
// Remap: every output pixel is read from a texture at the coordinates that a second image holds.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "device/frame.h"
#include "device/queue.h"
#include "kernels/texture/texture.h"
#include "options/values.h"
#include "stages/stage.h"
#include "stages/warp/coordinates.h"
#include "stages/warp/read_filter.h"

namespace cuimg {

class SharedImage;

struct Remap {
  std::string map;
  Coordinates coords = Coordinates::pixel;
  ReadFilter filter = ReadFilter::linear;
  Border border = Border::clamp;
  Color border_color;
};

/// The spec of a map in memory: one layer of two floats, x and y of every output pixel.
Spec map_spec(const Rect& data_window, const Rect& display_window);

/// What the stage does once its map is open. @param p its `map` is not looked at.
/// @param map of map_spec(); its windows become the output's.
std::unique_ptr<Operation> make_remap(const Remap& p, std::shared_ptr<const SharedImage> map,
                                      const Spec& input, bool raw);

/// How one layer is read on either device.
struct TextureLookup {
  /// Its filter is point for ReadFilter::cubic; for trilinear its coordinates are normalised, those
  /// of the map being so if are_normalized.
  Sampler sampler;
  ReadFilter filter = ReadFilter::linear;
  /// Coordinates are divided by the texture's size first: wrap and mirror need normalised ones.
  bool divide_by_size = false;
  bool are_normalized = false;  ///< The map's coordinates.

  /// @param border_color one value for each channel of the layer.
  static TextureLookup make(Coordinates coords, ReadFilter filter, Border border,
                            const std::array<float, 4>& border_color);
};

/// @name Reads the whole of `source` as one texture.
/// @param map two floats a pixel, x and y, covering `target`'s region; host rows on the CPU,
/// pitched memory on a card.
/// @param target float, or u32 from a u32 source.
/// @{
void read_texture_on_cpu(const TextureLookup& read, const Frame& source, const Frame& map,
                         const Frame& target);
void read_texture_on_cuda(const Queue& queue, const TextureLookup& read, const Frame& source,
                          const Frame& map, const Frame& target);
/// @}

/// @name ReadFilter::trilinear: makes the levels of `source`, of floats, then reads between them.
/// @param map it covers target's region and one pixel around, where the image has such; see
/// MapReads. @param target float.
/// @throws Error, DeviceError without memory.
/// @{
void read_levels_on_cpu(const Queue& queue, const TextureLookup& read, const Frame& source,
                        const Frame& map, const Frame& target);
void read_levels_on_cuda(const Queue& queue, const TextureLookup& read, const Frame& source,
                         const Frame& map, const Frame& target);
/// @}

}  // namespace cuimg

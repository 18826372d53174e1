// SPDX-License-Identifier: Apache-2.0
// remap: reads every output pixel from a texture at coordinates that a second image holds.
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

/// The stage's operation once its map is open. @param p its `map` is ignored.
/// @param map has map_spec(); its windows become the output's.
std::unique_ptr<Operation> make_remap(const Remap& p, std::shared_ptr<const SharedImage> map,
                                      const Spec& input, bool raw);

/// How one layer is read on both devices.
struct TextureLookup {
  /// Its filter is point for ReadFilter::cubic. For trilinear it takes normalised coordinates;
  /// are_normalized says whether the map's coordinates are.
  Sampler sampler;
  ReadFilter filter = ReadFilter::linear;
  /// Coordinates are first divided by the texture's size: wrap and mirror need normalised ones.
  bool divide_by_size = false;
  bool are_normalized = false;  ///< Whether the map's coordinates are normalised.

  /// @param border_color one value for each channel of the layer.
  static TextureLookup make(Coordinates coords, ReadFilter filter, Border border,
                            const std::array<float, 4>& border_color);
};

/// @name Reads the whole of `source` as one texture.
/// @param map two floats per pixel, x and y, covering `target`'s region; host rows on the CPU,
/// pitched memory on a card.
/// @param target float, or u32 from a u32 source.
/// @{
void read_texture_on_cpu(const TextureLookup& read, const Frame& source, const Frame& map,
                         const Frame& target);
void read_texture_on_cuda(const Queue& queue, const TextureLookup& read, const Frame& source,
                          const Frame& map, const Frame& target);
/// @}

/// @name For ReadFilter::trilinear: makes the levels of `source`, which holds floats, then reads
/// between them.
/// @param map covers target's region plus one pixel on each side, as far as the image has pixels
/// there; see MapReads. @param target float.
/// @throws Error, DeviceError if memory runs out.
/// @{
void read_levels_on_cpu(const Queue& queue, const TextureLookup& read, const Frame& source,
                        const Frame& map, const Frame& target);
void read_levels_on_cuda(const Queue& queue, const TextureLookup& read, const Frame& source,
                         const Frame& map, const Frame& target);
/// @}

}  // namespace cuimg

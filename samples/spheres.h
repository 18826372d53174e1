// SPDX-License-Identifier: Apache-2.0
// A small ray-traced scene, so that the project has an HDR picture of its own: highlights over 100,
// alpha with soft edges, mirror images, a checkered floor.
#pragma once

#include "image/image.h"

namespace cuimg::samples {

/// Spheres on a floor: half R, G, B, A, linear, premultiplied, transparent where nothing is hit.
/// The bits are the same on every machine, because only sums, products, quotients and square roots
/// are used.
Image spheres(int width, int height);

/// The same scene as a renderer would write it: colours with a depth Z (float, infinite where
/// nothing is hit) and an object's number `id` (u32), on a data window that is smaller than the
/// display window and begins at 8, 6.
Image spheres_with_layers(int width, int height);

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_resolution.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace cuimg {
void read_tiff_resolution(const TiffHandle& tiff, bool transposes, Spec& spec, Metadata& facts) {
  float x = 0, y = 0;
  if (!TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &x) ||
      !TIFFGetField(tiff.get(), TIFFTAG_YRESOLUTION, &y) || !(x > 0) || !(y > 0) ||
      !std::isfinite(x) || !std::isfinite(y))
    return;
  if (transposes) std::swap(x, y);
  spec.pixel_aspect = y / x;
  const auto unit = tiff.field<std::uint16_t>(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  if (unit == RESUNIT_INCH) spec.metadata["xDensity"] = static_cast<double>(x);
  if (unit == RESUNIT_CENTIMETER) {
    spec.metadata["xDensity"] = static_cast<double>(x) * cm_per_inch;
    spec.storage.has_density_per_cm = true;
  }
  if (unit == RESUNIT_NONE) {
    // from Photoshop's resources: the tags describe the file itself
    spec.metadata.erase("xDensity");
    spec.storage.density_without_unit = static_cast<double>(x);
    facts["resolution"] = fmt::format("{} x {}, without a unit", x, y);
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// `cuimg show`: a picture in the terminal.
#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "commands.h"
#include "pipeline/batch/sequence.h"
#include "shown_picture.h"
#include "stages/color/exposure.h"

namespace cuimg {
namespace {

// One of tonemap's curves, or `off`.
enum class ShownCurve : std::uint8_t { neutral = static_cast<int>(ToneCurve::neutral), off = 255 };
std::span<const Choice<ShownCurve>> choices_of(ShownCurve) {
  static const std::vector<Choice<ShownCurve>> choices = [] {
    std::vector<Choice<ShownCurve>> all;
    for (const Choice<ToneCurve>& curve : choices_of(ToneCurve{}))
      all.push_back({static_cast<ShownCurve>(curve.value), curve.name});
    all.push_back({ShownCurve::off, "off"});
    return all;
  }();
  return choices;
}

struct Show {
  Protocol protocol = Protocol::automatic;
  std::optional<int> columns;
  float exposure = 0;
  ShownCurve curve = ShownCurve::neutral;
};

bool is_folder(const std::string& name) {
  std::error_code unknown;
  return std::filesystem::is_directory(name, unknown);
}

int run_show(const void* values, const std::vector<std::string>& files,
             const CommonOptions& common) {
  const Show& show = *static_cast<const Show*>(values);
  const Terminal terminal = look_at_terminal();
  const Protocol protocol =
      show.protocol == Protocol::automatic ? best_protocol(terminal) : show.protocol;
  // The last line is for the prompt.
  const ShownSpace space = space_on(terminal, protocol, show.columns, 1);
  const bool are_several = files.size() != 1 || !common.files_from.empty() ||
                           is_sequence(files.front()) || is_folder(files.front());
  return for_each_input("show", files, common, [&](const std::string& file) {
    const Image image = read_one_part(file, common, "shown");
    const std::vector<LayerSpec>& layers = image.spec().layers;
    if (std::all_of(layers.begin(), layers.end(),
                    [](const LayerSpec& layer) { return layer.holds_ids(); }))
      throw Error(file, "it holds only ids, which are not a picture", "cuimg stats describes them");
    const bool curved = show.curve != ShownCurve::off && (passes_white(image) || show.exposure > 0);
    const auto curve = curved ? std::optional(static_cast<ToneCurve>(show.curve)) : std::nullopt;
    const Image picture =
        shown_picture(image, shown_size(image.spec(), space), show.exposure, curve, common.threads);
    if (are_several) print(printable(file) + ":\n");
    print(terminal_text(picture, protocol));
  });
}

}  // namespace

Command show_command() {
  const Description description =
      describe<Show>("show", "show a picture in the terminal")
          .param("protocol", &Show::protocol, "how the picture is sent to the terminal")
          .param("columns", &Show::columns, range(1, 10000), "largest width, in characters")
          .param("exposure", &Show::exposure, stops_range, "exposure applied before the curve",
                 unit("stops"))
          .param("curve", &Show::curve,
                 "curve of tonemap, used if light exceeds 1; off cuts the light off instead")
          .details(
              "The picture is scaled down to fit the terminal, never up, and a checkerboard shows "
              "through translucent parts. auto chooses by KITTY_WINDOW_ID and TERM. If those do "
              "not decide, it asks the terminal, for up to 0.3 s, whether it can show kitty's "
              "graphics or sixels. If it can show neither, or standard output is not a terminal, "
              "auto means half blocks; without a terminal they are 80 columns wide.")
          .example("cuimg show in.exr")
          .example("cuimg show --protocol blocks --columns 40 *.png")
          .example("cuimg show --frames 1-100x10 in.####.exr");
  std::vector<Parameter> reworded = listing_wordings("");
  std::erase_if(reworded, [](const Parameter& parameter) {
    return parameter.name == "part" || parameter.name == "json";
  });
  reworded.push_back(part_of_one());
  return {description,
          "FILE...",
          {"recursive", "include", "exclude", "files-from", "null", "frames", "missing", "part",
           "mip-level", "limit-pixels", "threads", "verbose", "help"},
          run_show,
          reworded};
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Stages that mix a pixel's colours: primaries, matrix, saturation and grayscale.
#include "base/error.h"
#include "base/message_text.h"
#include "image/named_primaries.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

// An index into the list of primaries.
enum class ColorSpace : std::uint8_t { rec709 };
std::span<const Choice<ColorSpace>> choices_of(ColorSpace) {
  static const std::vector<Choice<ColorSpace>> choices = [] {
    std::vector<Choice<ColorSpace>> all;
    for (const NamedPrimaries& set : named_primaries())
      all.push_back({static_cast<ColorSpace>(all.size()), set.name, set.help, set.aliases});
    return all;
  }();
  return choices;
}

enum class Adaptation : std::uint8_t { bradford, none };
std::span<const Choice<Adaptation>> choices_of(Adaptation) {
  static constexpr Choice<Adaptation> choices[] = {
      {Adaptation::bradford, "bradford", "white stays white"},
      {Adaptation::none, "none", "X, Y, Z stay, as with the textbooks' matrices to XYZ"}};
  return choices;
}

struct PrimariesChange {
  std::optional<ColorSpace> from;
  ColorSpace to = ColorSpace::rec709;
  Adaptation adaptation = Adaptation::bradford;
};

struct MatrixValues {
  std::vector<double> values = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};

struct Saturation {
  std::vector<float> amount = {1};
};

const Chromaticities& chromaticities(ColorSpace space) {
  return named_primaries()[static_cast<std::size_t>(space)].space;
}

bool has_three_colors(const LayerSpec& layer) { return form_of(layer).shape.colors == 3; }

ColorMatrix color_matrix(const Matrix3& matrix) {
  ColorMatrix op;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      op.row[row][column] = static_cast<float>(matrix.m[row][column]);
  return op;
}

// The contributions of red, green and blue to luminance in an image's own primaries.
void luminance_weights(const Spec& input, float (&weights)[3]) {
  const Matrix3 xyz = rgb_to_xyz(input.color.primaries.value_or(primaries::rec709));
  for (int c = 0; c < 3; ++c) weights[c] = static_cast<float>(xyz.m[1][c]);
}

// @param covers whether colours are premultiplied.
ColorChange matrix_of(const MatrixValues& p, const LayerSpec& layer, bool covers) {
  ColorChange change = grey_to_color(layer);
  LayerSpec rgb = layer;
  if (!change.channels.empty()) rgb.channels = change.channels;
  if (!has_three_colors(rgb))
    throw Error("matrix",
                "the layer has " + std::to_string(form_of(layer).shape.colors) + " colour channels",
                "use layers of one or three");
  const int columns = p.values.size() == 9 ? 3 : 4;
  const bool has_alpha = form_of(rgb).shape.alpha == 3;
  ColorMatrix op;
  for (std::size_t i = 0; i < p.values.size(); ++i) {
    const std::size_t row = i / static_cast<std::size_t>(columns);
    const std::size_t column = i % static_cast<std::size_t>(columns);
    const auto value = static_cast<float>(p.values[i]);
    // The fourth column is added to straight colours, so for premultiplied ones it is multiplied by
    // alpha.
    const bool adds = column == 3 && (!has_alpha || (!covers && p.values.size() == 12));
    (adds ? op.offset[row] : op.row[row][column]) = value;
  }
  op.reads_alpha = has_alpha;
  op.makes_alpha = has_alpha && p.values.size() == 16;
  change.ops.emplace_back(op);
  return change;
}

// Grey layers do not change, whatever the amounts.
ColorChange saturation_of(const Saturation& p, const LayerSpec& layer, const Spec& input) {
  const std::vector<float> none(p.amount.size(), 1.0f);
  if (!has_three_colors(layer) || p.amount == none) return {};
  Saturate op;
  luminance_weights(input, op.weights);
  for (std::size_t c = 0; c < 3; ++c) op.amount[c] = p.amount[p.amount.size() == 3 ? c : 0];
  return {{op}};
}

}  // namespace

StageDescription primaries_stage() {
  return describe<PrimariesChange>("primaries", "convert between sets of primaries", Kind::filter)
      .param("from", &PrimariesChange::from,
             "the input's primaries; default those its file names, else rec709")
      .param("to", &PrimariesChange::to, "the output's primaries")
      .param("adaptation", &PrimariesChange::adaptation, "how different white points are adapted")
      .details(
          "A 3x3 matrix over linear light, computed in double from the published chromaticities "
          "(SMPTE RP 177); Bradford's adaptation (Lam 1985) keeps white white. The output is "
          "tagged with its primaries: in EXR by chromaticities, in PNG, JPEG and TIFF by code "
          "points or an ICC profile. For a format that cannot store them, colours are converted "
          "back to Rec.709. Grey layers stay.")
      .example("cuimg primaries --from ap0 --to ap1 in.exr out.exr")
      .on_color_layers()
      .prepare([](const PrimariesChange& p, const Spec& input, const StageContext& context) {
        const Chromaticities tagged = input.color.primaries.value_or(primaries::rec709);
        const Chromaticities from = p.from ? chromaticities(*p.from) : tagged;
        const Chromaticities to = chromaticities(p.to);
        const Matrix3 matrix = p.adaptation == Adaptation::bradford
                                   ? rgb_to_rgb(from, to)
                                   : inverse(rgb_to_xyz(to)) * rgb_to_xyz(from);
        ColorEncoding after = working_color(input, Values::linear, context);
        after.primaries = to;
        if (after.tag) after.tag->primaries = to;
        after.profile.reset();
        return make_color_operation(input, context, Values::linear,
                                    [&](const LayerSpec& layer) {
                                      if (from == to || !has_three_colors(layer))
                                        return ColorChange{};
                                      return ColorChange{{color_matrix(matrix)}};
                                    },
                                    {.color = after});
      });
}

StageDescription matrix_stage() {
  return describe<MatrixValues>("matrix", "multiply colours by a matrix", Kind::filter)
      .param("values", &MatrixValues::values,
             "9, 12 or 16 numbers, row by row; each row makes one output channel")
      .details(
          "R' = m0 R + m1 G + m2 B and so on, in linear light. 12 numbers are three rows of four, "
          "where the last number of a row is added. 16 numbers are four rows for R, G, B and "
          "alpha, with premultiplied colours; a missing alpha counts as 1. Grey becomes RGB.")
      .example("cuimg matrix --values 0,0,1,0,1,0,1,0,0 in.exr out.exr")
      .on_color_layers()
      .check([](const MatrixValues& p) {
        const std::size_t count = p.values.size();
        if (count != 9 && count != 12 && count != 16)
          throw Error("matrix", "--values has " + counted(std::ssize(p.values), "number"),
                      "use 9 (3x3), 12 (3x4) or 16 (4x4)");
      })
      .prepare([](const MatrixValues& p, const Spec& input, const StageContext& context) {
        return make_color_operation(input, context, Values::linear, [&](const LayerSpec& layer) {
          return matrix_of(p, layer, !context.raw && input.color.alpha_covers);
        });
      });
}

StageDescription saturation_stage() {
  return describe<Saturation>("saturation", "stronger or weaker colours", Kind::filter)
      .param("amount", &Saturation::amount,
             "factor, one for all colours or one each; 0 is grey, 1 changes nothing, above 1 "
             "strengthens")
      .details(
          "Each colour becomes Y + amount (c - Y), in linear light. Y is the luminance, with the "
          "weights of the picture's own primaries (Rec.709: 0.21264, 0.71517, 0.07219), and "
          "stays with a single amount. Grey stays exactly grey.")
      .example("cuimg saturation --amount 1.4 in.exr out.exr")
      .on_color_layers()
      .check([](const Saturation& p) {
        if (p.amount.size() != 1 && p.amount.size() != 3)
          throw Error("saturation", "--amount has " + std::to_string(p.amount.size()) + " values",
                      "give one for all colours, or three: alpha has no saturation");
      })
      .prepare([](const Saturation& p, const Spec& input, const StageContext& context) {
        return make_color_operation(input, context, Values::linear, [&](const LayerSpec& layer) {
          return saturation_of(p, layer, input);
        });
      });
}

StageDescription grayscale_stage() {
  return describe<NoOptions>("grayscale", "luminance in one channel", Kind::filter)
      .details(
          "R, G and B become Y, the luminance of linear light, with the weights of the picture's "
          "own primaries (Rec.709: 0.21264, 0.71517, 0.07219). Alpha stays. Formats without grey "
          "get three equal channels.")
      .example("cuimg grayscale in.png out.png")
      .on_color_layers()
      .prepare([](const NoOptions&, const Spec& input, const StageContext& context) {
        return make_color_operation(input, context, Values::linear, [&](const LayerSpec& layer) {
          if (!layer.is_color() || !has_three_colors(layer)) return ColorChange{};
          Luminance op;
          luminance_weights(input, op.weights);
          ColorChange change{{op}};
          change.channels = {"Y"};
          if (layer.alpha_index() >= 0) change.channels.emplace_back("A");
          return change;
        });
      });
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// text: draws text over the picture, such as a frame's number, a name or a note. The letters are a
// small second image.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/message_text.h"
#include "base/split_text.h"
#include "options/name_pattern.h"
#include "stages/combine/second_options.h"
#include "text/font.h"

namespace cuimg {
namespace {

struct TextOverlay {
  std::string text;
  float size = 0;
  Gravity gravity = Gravity::southwest;
  std::optional<Point> at;
  Color color = {{1, 1, 1, 1}};
  Color box;

  std::string place() const { return "text --text " + text; }
};

// Default sizes lie between these, so that the letters for a picture of 100,000 rows fit into
// memory.
constexpr float least_size = 10, most_size = 256;

float letter_size(const TextOverlay& p, const Rect& frame) {
  return p.size > 0 ? p.size
                    : std::clamp(static_cast<float>(frame.height / 30), least_size, most_size);
}

// "\n" starts a new line, "\\" is a backslash.
std::string without_escapes(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size();
    if (is_escape && (text[i + 1] == 'n' || text[i + 1] == '\\'))
      result += text[++i] == 'n' ? '\n' : '\\';
    else
      result += text[i];
  }
  return result;
}

std::string filled(const TextOverlay& p, const ImageName& image) {
  return fill_keys(without_escapes(p.text), [&](std::string_view key) {
    if (image.file.empty() && (key == "name" || key == "stem" || key.starts_with("frame")))
      throw Error(p.place(), fmt::format("the picture has no file that {{{}}} could name", key));
    if (auto value = value_of_name(key, image, p.place())) return *std::move(value);
    throw_unknown_key(key, p.place(), {"frame", "part"}, image_name_keys);
  });
}

// Lines of text and the box around them.
class TextBox {
 public:
  /// @param frame the picture's frame: lines that are wider lose their middle, and lines below it
  /// are left out.
  TextBox(const TextOverlay& p, const std::string& text, const Rect& frame)
      : color_(p.color.rgba),
        box_color_(p.box.rgba),
        is_grey_(is_grey(p.color) && is_grey(p.box)),
        gravity_(p.gravity) {
    const float size = letter_size(p, frame);
    const Font font(size);
    ascent_ = static_cast<int>(std::ceil(font.ascent()));
    line_height_ = std::max(1, ascent_ + static_cast<int>(std::ceil(font.descent())));
    margin_ = static_cast<int>(size / 4);
    const int most = std::max(0, frame.width - 2 * margin_);
    for (const std::string_view line : split_at(text, "\n")) {
      if (std::ssize(lines_) * line_height_ >= frame.height) break;
      const std::string shown = font.shortened(line, static_cast<float>(most));
      is_shortened_ = is_shortened_ || shown != line;
      lines_.push_back({font.drawn(shown), static_cast<int>(std::ceil(font.width(shown)))});
      width_ = std::max(width_, std::min(most, lines_.back().width));
    }
  }

  bool is_shortened() const { return is_shortened_; }

  /// Grey if the colours are grey, so that a grey picture remains grey.
  Image drawn(const ColorEncoding& color, const std::string& place) const {
    Spec spec;
    spec.color = color;
    spec.layers = {{"", {"R", "G", "B", "A"}, PixelType::f32}};
    if (is_grey_) spec.layers.front().channels = {"Y", "A"};
    spec.data_window = {0, 0, std::max(1, width_ + 2 * margin_),
                        static_cast<int>(std::ssize(lines_)) * line_height_ + 2 * margin_};
    constexpr std::int64_t most_pixels = std::int64_t{1} << 25;
    const Rect& box = spec.data_window;
    if (std::int64_t{box.width} * box.height > most_pixels)
      throw Error(place, "the text takes " + size_text(box), "use a smaller --size");
    Image image(std::move(spec));
    for (int y = 0; y < box.height; ++y)
      for (int x = 0; x < box.width; ++x) put(image, x, y, 0);
    for (std::size_t i = 0; i < lines_.size(); ++i) draw_line(image, i);
    return image;
  }

 private:
  struct Line {
    TextCoverage letters;
    int width;
  };

  static bool is_grey(const Color& color) {
    return color.rgba[0] == color.rgba[1] && color.rgba[1] == color.rgba[2];
  }

  void draw_line(Image& image, std::size_t number) const {
    const auto& [letters, width] = lines_[number];
    const Rect& box = image.spec().data_window;
    const int left = margin_ + placed_x(gravity_, width_, width) + letters.left;
    const int top = margin_ + static_cast<int>(number) * line_height_ + ascent_ + letters.top;
    const Rect shown = intersection({left, top, letters.width, letters.height}, box);
    for (int y = shown.y; y < shown.bottom(); ++y)
      for (int x = shown.x; x < shown.right(); ++x)
        if (const std::uint8_t covered = letters.at(x - left, y - top); covered > 0)
          put(image, x, y, static_cast<float>(covered) / 255);
  }

  // Draws letters over the box's colour.
  void put(Image& image, int x, int y, float coverage) const {
    const int channels = is_grey_ ? 2 : 4;
    auto* const pixel = reinterpret_cast<float*>(image.row(0, y)) + channels * x;
    for (int i = 0; i < channels; ++i) {
      const std::size_t c = is_grey_ && i == 1 ? 3 : static_cast<std::size_t>(i);
      pixel[i] = coverage * color_[c] + box_color_[c] * (1 - coverage * color_[3]);
    }
  }

  std::array<float, 4> color_, box_color_;
  bool is_grey_;
  Gravity gravity_;
  int ascent_ = 0, line_height_ = 1, margin_ = 0, width_ = 0;
  bool is_shortened_ = false;
  std::vector<Line> lines_;
};

std::unique_ptr<Operation> prepare(const TextOverlay& p, const Spec& input,
                                   const StageContext& context) {
  for (const LayerSpec& layer : input.layers)
    if (!layer.is_color() && !layer.holds_ids())
      throw Error("text", layer.label() + " holds no colours", "choose others with --layers");
  const TextBox box(p, filled(p, context.image), input.display_window);
  if (box.is_shortened() && context.decode.warn)
    context.decode.warn(
        "text: it is wider than the picture, so its middle is left out; give a "
        "smaller --size");
  ColorEncoding color;
  color.primaries = input.color.primaries;
  const SecondImage letters(box.drawn(color, p.place()));
  CombineRules rules;
  rules.channels = SecondChannels::with_alpha;
  rules.adds_alpha =
      input.data_window.contains(input.display_window) ? AlphaAdded::never : AlphaAdded::always;
  rules.op = [](const LayerSpec& layer, const LayerSpec& second) {
    return porter_duff(Share::all, Share::outside, layer, second);
  };
  SecondOptions where;
  where.gravity = p.gravity;
  where.at = p.at;
  where.place_second("text", input, letters, rules);
  return make_combine_operation("text", input, context, letters, context.raw, rules);
}

}  // namespace

StageDescription text_stage() {
  return describe<TextOverlay>("text", "write text over the picture", Kind::filter)
      .param("text", &TextOverlay::text,
             "the text to write; may contain {name}, {stem}, {frame} and {part}",
             placeholder("TEXT"))
      .param("size", &TextOverlay::size, range(0, 4096),
             fmt::format("height of the letters; 0: a 30th of the picture's height, {} to {}",
                         least_size, most_size),
             unit("pixels"))
      .param("gravity", &TextOverlay::gravity, "side or corner of the picture where the text lies")
      .param("at", &TextOverlay::at,
             "distance from that side or corner, inward; along an axis that --gravity centres, "
             "right or down from the middle",
             unit("pixels"))
      .param("color", &TextOverlay::color,
             "colour of the letters, linear, in the picture's primaries")
      .param("box", &TextOverlay::box,
             "colour of the box behind them, linear, premultiplied: 0,0,0,0.6 keeps text legible "
             "anywhere")
      .details(
          "In the text, {name} is the input's file name, {stem} that name without its extension, "
          "{frame} the number of a sequence's frame, {frame:04} the same padded with zeros, and "
          "{part} the number of the file's part; {{ is a brace, \\n begins a new line, and \\\\ is "
          "a backslash. Letters are DejaVu Sans: Latin, Greek, Cyrillic and common signs; any "
          "other is drawn as a box. Lines are aligned to --gravity's side. The middle of a line "
          "that is wider than the picture is left out, with a warning; lines below the picture's "
          "frame are left out too. Text is laid over the picture as `over` does, in linear light, "
          "premultiplied; with --raw the colours' values are stored as they are. A picture without "
          "alpha gets one only if pixels of its frame are missing. A grey picture becomes RGB if a "
          "colour is not grey.")
      .example("cuimg text --text '{name}' renders/*.exr -o 'dailies/{stem}.png'")
      .example("cuimg text --text '{frame:04}' --box 0,0,0,0.6 'in.####.exr' 'o.####.png'")
      .on_color_layers()
      .shows_names([](const TextOverlay& p) {
        return has_key(p.text, "name") || has_key(p.text, "stem") || has_key(p.text, "frame");
      })
      .check([](const TextOverlay& p) {
        if (p.text.empty()) throw Error("text", "--text is missing", "give it in quotes");
      })
      .prepare(prepare);
}

}  // namespace cuimg

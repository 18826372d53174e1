// SPDX-License-Identifier: Apache-2.0
// contact: a sheet of many pictures with their names.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/message_text.h"
#include "base/threads.h"
#include "device/on_device.h"
#include "io/codec.h"
#include "kernels/color/luminance.h"
#include "options/layer_names.h"
#include "stages/description.h"
#include "stages/geometry/resize.h"
#include "stages/pass/conversion.h"
#include "stages/pass/pixel_pass.h"
#include "stages/run_cache.h"
#include "stages/shared_image.h"
#include "text/font.h"

namespace cuimg {
namespace {

struct Contact {
  int columns = 0;
  Size size = pixels(240, 180);
  int gap = 8;
  bool label = true;
  int label_size = 0;
  Color color = {{0.02f, 0.02f, 0.02f, 1}};
};

// @param layers the names in --layers; only the first one is used.
int named_layer(const Spec& spec, const std::string& file, const std::vector<std::string>& layers) {
  std::string all;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (names_layer(layers.front(), spec.layers[i].label())) return static_cast<int>(i);
    add_item(all, spec.layers[i].label());
  }
  throw Error(file, "it has no layer " + layers.front() + " (--layers)", "it has " + all);
}

// The layer of an image that is shown: the one that is named, otherwise the one that Spec chooses.
int shown_layer(const Spec& spec, const std::string& file, const std::vector<std::string>& layers) {
  if (!layers.empty()) return named_layer(spec, file, layers);
  if (const int shown = spec.shown_layer(); shown >= 0) return shown;
  throw Error(file, "it holds only ids, which are not a picture");
}

class ContactOperation final : public Operation {
 public:
  ContactOperation(const Contact& p, const StageContext& context)
      : raw_(context.raw),
        decode_(context.decode),
        layers_(context.layers),
        background_(p.color.rgba),
        gap_(p.gap) {
    decode_.raw = context.raw;
    for (const Size::Side& side : {p.size.width, p.size.height})
      if (side.percent || side.amount < 1)
        throw Error("contact", "--size " + format_value(p.size) + " leaves a side open",
                    "use WxH, such as 240x180");
    cell_ = p.size.of(1, 1);
    std::vector<std::uint64_t> bytes;
    std::optional<ColorEncoding> home;
    // Finds missing files and files that are not pictures before any file is decoded.
    for (const std::string& input : context.inputs) {
      Entry entry{input, nullptr};
      const auto source = ByteSource::open(input);
      if (input == "-") entry.source = source;  // standard input cannot be opened again
      const std::unique_ptr<ImageFile> file = open_file(source, decode_);
      std::string warning;
      const auto decoder = file->open(input_part(*file, input, context, warning));
      shown_layer(decoder->spec(), input, layers_);
      if (!home) home = decoder->spec().color;
      bytes.push_back(memory_of(*decoder) + source->bytes().size());
      if (context.warn_of_parts && !warning.empty()) context.warn_of_parts(warning);
      if (const std::string rest = decoder->left_out(); context.decode.warn && !rest.empty())
        context.decode.warn(input + ": " + rest);
      entries_.push_back(std::move(entry));
    }
    note_held(bytes, context);
    const auto count = static_cast<int>(entries_.size());
    columns_ = p.columns > 0 ? std::min(p.columns, count)
                             : static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
    letters_ = p.label_size > 0 ? p.label_size : std::max(10, cell_.width / 15);
    label_height_ = p.label ? (3 * letters_ + 1) / 2 : 0;
    const std::int64_t rows = (count + columns_ - 1) / columns_;
    const std::int64_t width = std::int64_t{columns_} * (cell_.width + gap_) + gap_;
    const std::int64_t height = rows * (cell_.height + label_height_ + gap_) + gap_;
    if (width > largest_side || height > largest_side)
      throw Error("contact", "the sheet would be " + size_text(width, height),
                  "its sides may be at most " + std::to_string(largest_side));
    Spec sheet;
    sheet.data_window = {0, 0, static_cast<int>(width), static_cast<int>(height)};
    sheet.display_window = sheet.data_window;
    sheet.layers = {{"", {"R", "G", "B"}, PixelType::f32}};
    if (background_[3] != 1) sheet.layers.front().channels.emplace_back("A");
    plan_.output = std::move(sheet);
    plan_.layers = {{.stored_type = PixelType::half}};
    plan_.home = home;
    plan_.runs_whole = true;
    plan_.explanation = {std::to_string(count) + " pictures in " + std::to_string(columns_) +
                         " columns, each in " + size_text(cell_)};
  }

  Rect needed(const Rect&) const override { return {}; }
  void run(const Queue& queue, int, Frames, const Frame& target) const override {
    on_device(
        queue, [&] { draw(queue, target); }, [&] { run_for_card(queue, target); });
  }

 private:
  // Each thread holds one picture at a time: in the worst case the largest ones.
  static void note_held(std::vector<std::uint64_t> bytes, const StageContext& context) {
    if (context.run == nullptr) return;
    std::ranges::sort(bytes, std::greater());
    const auto most = static_cast<std::size_t>(hardware_threads());
    for (std::size_t i = 0; i < std::min(bytes.size(), most); ++i) context.run->add_held(bytes[i]);
  }

  struct Entry {
    std::string file;
    std::shared_ptr<const ByteSource> source;
  };

  // The pictures come from files, so the sheet is made in main memory, where files are read.
  void run_for_card(const Queue& queue, const Frame& target) const {
    Image sheet(output());
    draw(Queue::cpu(), Frame::over_image(sheet, 0));
    run_pass(queue, moving_pass(output().layers.front()), queue.upload(sheet, 0), target);
    queue.synchronize();
  }

  void draw(const Queue& queue, const Frame& target) const {
    const Rect& t = target.region();
    for (int y = t.y; y < t.bottom(); ++y)
      for (int x = t.x; x < t.right(); ++x) put(target, x, y, background_.data());
    queue.for_each(static_cast<int>(entries_.size()), [&](int i) {
      const Entry& entry = entries_[static_cast<std::size_t>(i)];
      const Rect cell = {t.x + gap_ + i % columns_ * (cell_.width + gap_),
                         t.y + gap_ + i / columns_ * (cell_.height + label_height_ + gap_),
                         cell_.width, cell_.height};
      draw_picture(queue, entry, cell, target);
      if (label_height_ > 0) draw_label(entry.file, cell, target);
    });
  }

  void put(const Frame& target, int x, int y, const float* rgba) const {
    std::copy_n(rgba, target.format().channels, target.pixel_as<float>(x, y));
  }

  void draw_picture(const Queue& queue, const Entry& entry, const Rect& cell,
                    const Frame& target) const {
    const auto source = entry.source ? entry.source : ByteSource::open(entry.file);
    const Image image = read_image(source, decode_);
    const Spec& spec = image.spec();
    const int layer = shown_layer(spec, entry.file, layers_);

    Spec working = spec;
    working.layers = {{"", {"R", "G", "B", "A"}, PixelType::f32}};
    working.color = raw_ ? spec.color : output().color;
    const auto conversion = make_conversion(spec, working, {layer}, {0, 0, 0}, raw_);
    const Rect fit = fitted_size(spec.display_window, spec.pixel_aspect, cell.width, cell.height);
    const auto resize = resizing(fit, working);
    const Rect made = resize->output().display_window;
    const Rect shown = intersection(made, resize->output().data_window);
    const int left = cell.x + (cell.width - fit.width) / 2 - made.x;
    const int top = cell.y + (cell.height - fit.height) / 2 - made.y;
    constexpr int band_rows = 16;  // so that only a few rows are held as float
    for (int y = shown.y; y < shown.bottom(); y += band_rows) {
      const Rect band =
          rect_from_edges(shown.x, y, shown.right(), std::min(y + band_rows, shown.bottom()));
      const Rect rows = intersection(resize->needed(band), spec.data_window);
      const Frame source = Frame::over_image(image, layer).cropped(rows);
      const Frame light = Frame::new_host({rows, PixelType::f32, 4, Storage::host});
      conversion->run(queue, 0, {&source, 1}, light);
      const Frame small = Frame::new_host({band, PixelType::f32, 4, Storage::host});
      resize->run(queue, 0, {&light, 1}, small);
      for (int v = band.y; v < band.bottom(); ++v)
        for (int u = band.x; u < band.right(); ++u)
          put_over(target, u + left, v + top, small.pixel_as<float>(u, v));
    }
  }

  std::unique_ptr<Operation> resizing(const Rect& size, const Spec& input) const {
    Resize resize;
    resize.size = pixels(size.width, size.height);
    // Filters with negative lobes draw dark rings around highlights.
    resize.filter = resize_filter_named("triangle");
    StageContext context;
    context.raw = raw_;
    return make_resize(resize, input, context);
  }

  // With --raw the relation of colour and alpha is unknown, so the colour is shown as it is.
  void put_over(const Frame& target, int x, int y, const float* v) const {
    float result[4];
    const float through = raw_ ? 0 : 1 - v[3];
    for (std::size_t c = 0; c < 4; ++c)
      result[c] = through == 0 ? v[c] : v[c] + through * background_[c];
    put(target, x, y, result);
  }

  void draw_label(const std::string& file, const Rect& cell, const Frame& target) const {
    const std::string name = file == "-" ? "-" : std::filesystem::path(file).filename().string();
    const Font font(static_cast<float>(letters_));
    const TextCoverage text = font.drawn(font.shortened(name, static_cast<float>(cell.width)));
    const float light = rec709_luminance(background_[0], background_[1], background_[2]);
    const float ink = light < 0.18f ? 0.7f : 0.02f;
    const Rect strip = {cell.x, cell.bottom(), cell.width, label_height_};
    const int left = cell.x + (cell.width - text.width) / 2;
    const float line = font.ascent() + font.descent();
    const float above = (static_cast<float>(label_height_) - line) / 2 + font.ascent();
    const int top = strip.y + static_cast<int>(above + 0.5f) + text.top;
    // Pictures are drawn at the same time, so a label must stay within its strip, including accents
    // on capitals.
    const Rect shown = intersection({left, top, text.width, text.height}, strip);
    for (int y = shown.y; y < shown.bottom(); ++y)
      for (int x = shown.x; x < shown.right(); ++x)
        put_ink(target, x, y, ink, static_cast<float>(text.at(x - left, y - top)) / 255);
  }

  void put_ink(const Frame& target, int x, int y, float ink, float coverage) const {
    const float color[4] = {ink, ink, ink, 1};
    float result[4];
    for (std::size_t c = 0; c < 4; ++c)
      result[c] = background_[c] + coverage * (color[c] - background_[c]);
    put(target, x, y, result);
  }

  bool raw_;
  DecodeOptions decode_;
  std::vector<std::string> layers_;
  std::array<float, 4> background_;
  int gap_, columns_ = 1, letters_ = 0, label_height_ = 0;
  Rect cell_;
  std::vector<Entry> entries_;
};

}  // namespace

StageDescription contact_stage() {
  return describe<Contact>("contact", "arrange many pictures with their names on a sheet",
                           Kind::reducer)
      .ends_environment()
      .param("columns", &Contact::columns, range(0, 4096),
             "number of columns; 0 makes a square sheet")
      .param("size", &Contact::size, "size of the cell that each picture is fitted into",
             placeholder("WxH"))
      .param("gap", &Contact::gap, range(0, 4096), "gap around each picture", unit("pixels"))
      .param("label", &Contact::label, "write each file's name below its picture")
      .param("label-size", &Contact::label_size, range(0, 1024),
             "height of the names' letters; 0: a 15th of a cell's width, at least 10",
             unit("pixels"))
      .param(
          "color", &Contact::color,
          "colour of the sheet, linear, premultiplied: 0.5,0.5,0.5,0.5 is half-transparent white")
      .details(
          "Puts all INPUTs, and the images of folders, onto one sheet in their order. Each is "
          "enlarged or shrunk to fit a cell, keeping its aspect, with the triangle filter in "
          "linear light. Its display window is shown, over --color where it is translucent. Of "
          "several layers, the one that --layers names is shown, else the unnamed colours, else "
          "the first. Integer formats cut off light beyond white. Names are in DejaVu Sans (Latin, "
          "Greek and Cyrillic); in names wider than a cell an ellipsis replaces the middle. The "
          "sheet is RGB, with an alpha if --color is translucent; it is made on the CPU, picture "
          "by picture. For stages after it, such as invert, values are encoded as in the first "
          "picture's file. If a file cannot be read, that is an error and no sheet is written.")
      .example("cuimg contact --columns 4 renders/*.exr -o sheet.png")
      .example("cuimg contact --size 160x120 --no-label a.exr b.png -o sheet.jpg")
      .shows_names([](const Contact& p) { return p.label; })
      .check([](const Contact& p) {
        if (!p.label && p.label_size != Contact{}.label_size)
          throw Error("contact",
                      "--label-size has no effect, since --no-label leaves out the names",
                      "give one of them");
      })
      .prepare([](const Contact& p, const Spec&, const StageContext& context) {
        return std::make_unique<ContactOperation>(p, context);
      });
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Matches the second image's layers with those of the picture.
#include "stages/combine/second_image.h"

#include <algorithm>

#include "stages/kept_frame.h"
#include "stages/pass/conversion.h"
#include "stages/pass/pixel_pass.h"
#include "stages/pass/stored_form.h"

namespace cuimg {
namespace {

int layer_for(const Spec& spec, const LayerSpec& wanted, bool by_name) {
  int color = -1;
  for (int i = 0; i < spec.layer_count(); ++i) {
    const LayerSpec& layer = spec.layer(i);
    if (layer.name != wanted.name || layer.is_color() != wanted.is_color()) continue;
    // A Y next to R, G and B is a layer of the same name.
    if (layer.channels == wanted.channels) return i;
    if (layer.is_color() && color < 0) color = i;
  }
  if (color >= 0) return color;
  return by_name || !wanted.is_color() ? -1 : spec.first_color();
}

}  // namespace

SecondImage::SecondImage(const std::string& path, const StageContext& context,
                         const SharedImage::Use& use)
    : image_(SharedImage::open(path, context.raw, context, use)) {}

SecondImage::SecondImage(Image image)
    : image_(std::make_shared<const SharedImage>(std::move(image))) {}

const LayerSpec* SecondImage::counterpart(const LayerSpec& wanted, bool by_name) const {
  const int layer = layer_for(spec(), wanted, by_name);
  return layer < 0 ? nullptr : &spec().layer(layer);
}

SecondImage::View SecondImage::view(const std::vector<LayerSpec>& layers,
                                    const ColorEncoding& color, bool raw) const {
  std::vector<LayerSpec> floats = layers;
  for (LayerSpec& layer : floats) layer.type = PixelType::f32;
  return typed_view(floats, color, raw);
}

SecondImage::View SecondImage::typed_view(const std::vector<LayerSpec>& layers,
                                          const ColorEncoding& color, bool raw,
                                          const std::vector<bool>& by_name) const {
  Spec source = spec();
  // If a stage has encoded the picture's values, a file's values count as encoded in the same way,
  // as it stores them.
  if (color.curve == Curve::raw) {
    source.color.curve = Curve::raw;
    source.color.primaries = color.primaries;
  }
  Spec target = spec();
  target.layers = layers;
  target.color = color;
  std::vector<int> sources;
  for (const LayerSpec& layer : target.layers) {
    const bool named = !by_name.empty() && by_name[sources.size()];
    sources.push_back(layer_for(spec(), layer, named));
  }
  return view_of(std::move(sources), source, target, raw);
}

SecondImage::View SecondImage::own_view(const std::optional<ColorEncoding>& color, bool raw) const {
  Spec target = spec();
  if (color) target.color = *color;
  std::vector<int> sources;
  for (LayerSpec& layer : target.layers) {
    if (color && layer.is_color() && !layer.holds_ids()) layer.type = PixelType::f32;
    sources.push_back(static_cast<int>(sources.size()));
  }
  return view_of(std::move(sources), spec(), target, raw);
}

SecondImage::View SecondImage::view_of(std::vector<int> sources, const Spec& source,
                                       const Spec& target, bool raw) const {
  View view;
  view.image_ = image_;
  view.sources_ = std::move(sources);
  std::vector<int> read;  // a layer without a counterpart uses the first one's number, but its
                          // pixels are never read
  for (const int layer : view.sources_) read.push_back(std::max(0, layer));
  view.operation_ = make_conversion(source, target, read, {0, 0, 0}, raw);
  for (std::size_t i = 0; i < read.size(); ++i)
    view.converted_.push_back(image_->kept({read[i], target.layers[i], target.color, raw}));
  return view;
}

FrameFormat SecondImage::View::format(int layer, const Rect& region) const {
  const LayerSpec& spec = operation_->output().layer(layer);
  return {region, spec.type, spec.channel_count(), Storage::pitched};
}

bool SecondImage::View::lies_as_wanted(int layer) const {
  return operation_->plan().layer(layer).pixel_pass->moves_only;
}

Frame SecondImage::View::frame_on_card(const Queue& queue, int layer, const Rect& region) const {
  const auto i = static_cast<std::size_t>(layer);
  if (lies_as_wanted(layer)) return image_->on_card(queue, sources_[i], region);
  return kept_or_part(queue, converted_[i], format(layer, data_window()), region,
                      [&](const Rect& part) {
                        const Frame uploaded = image_->upload(queue, sources_[i], part);
                        Frame made = queue.allocate(format(layer, part));
                        operation_->run(queue, layer, {&uploaded, 1}, made);
                        return made;
                      });
}

Frame SecondImage::View::frame_of_light(const Queue& queue, int layer, const Rect& region) const {
  const auto& form = operation_->plan().layer(layer).decodes;
  if (!queue.is_cuda() || form == nullptr) return frame(queue, layer, region);
  const int from = sources_[static_cast<std::size_t>(layer)];
  return image_->on_card(queue, from, region).seen_as_floats(form);
}

bool SecondImage::View::is_in_halves(int layer) const {
  const auto& form = operation_->plan().layer(layer).decodes;
  return form != nullptr && form->kind() == FormKind::half;
}

Frame SecondImage::View::frame(const Queue& queue, int layer, const Rect& region) const {
  if (queue.is_cuda()) return frame_on_card(queue, layer, region);
  // Read even if it lies outside: a corrupt file is always an error, as on a card.
  const Image& image = image_->pixels();
  const Rect wanted = intersection(region, data_window());
  if (wanted.empty()) return {};
  const Frame source =
      Frame::over_image(image, sources_[static_cast<std::size_t>(layer)]).cropped(wanted);
  if (lies_as_wanted(layer)) return source;
  const Frame made = queue.allocate(format(layer, wanted));
  operation_->run(queue, layer, {&source, 1}, made);
  return made;
}

}  // namespace cuimg

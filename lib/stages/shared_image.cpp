// SPDX-License-Identifier: Apache-2.0
#include "stages/shared_image.h"

#include <algorithm>
#include <utility>

#include "io/codec.h"
#include "stages/run_cache.h"

namespace cuimg {
namespace {

// Forms follow from the inputs' layers and encodings, which mostly are those of all others too.
constexpr std::size_t most_forms = 16;

Image decoded(Decoder& decoder) {
  Image image(decoder.spec());
  RowProgress progress;
  decoder.read(image, progress);
  return image;
}

}  // namespace

std::shared_ptr<const SharedImage> SharedImage::open(const std::string& path, bool raw,
                                                     const StageContext& context, const Use& use) {
  RunCache* const cache = path == "-" ? nullptr : context.run;
  const std::string name = (raw ? "raw " : "") + use.name + ": " + path;
  const auto image = once_a_run<SharedImage>(cache, name, [&] {
    DecodeOptions options = context.decode;
    options.raw = raw;
    options.part = 0;
    options.mip_level = 0;
    // The decoder outlives this input, so it must not speak to it.
    const auto notes = std::make_shared<std::vector<std::string>>();
    options.notify = [notes](const std::string& note) { notes->push_back(note); };
    const auto source = once_a_run<ByteSource>(cache, path, [&] { return ByteSource::open(path); });
    const std::shared_ptr<Decoder> decoder = open_image(source, options);
    std::shared_ptr<SharedImage> opened;
    if (use.extract) {
      Extract extract = use.extract(decoder->spec());
      opened = std::make_shared<SharedImage>(
          std::move(extract.spec),
          [decoder, make = std::move(extract.make)] { return make(decoded(*decoder)); });
    } else {
      opened =
          std::make_shared<SharedImage>(decoder->spec(), [decoder] { return decoded(*decoder); });
    }
    opened->notes_ = *notes;
    return opened;
  });
  if (context.decode.notify)
    for (const std::string& note : image->notes_) context.decode.notify(note);
  return image;
}

SharedImage::SharedImage(Spec spec, std::function<Image()> make)
    : spec_(std::move(spec)), as_it_lies_(spec_.layers.size()), make_(std::move(make)) {}

SharedImage::SharedImage(Image image) : spec_(image.spec()), as_it_lies_(spec_.layers.size()) {
  std::promise<Image> made;
  made.set_value(std::move(image));
  pixels_ = made.get_future().share();
}

const Image& SharedImage::pixels() const {
  std::shared_future<Image> pixels;
  {
    const std::lock_guard lock(mutex_);
    // Not on the caller's thread, which may be one of oneTBB's: a decoder that waits there for work
    // of its own could be given another item that waits for these pixels.
    if (!pixels_.valid()) {
      pixels_ = std::async(std::launch::async, [make = make_]() mutable {
                  return std::exchange(make, {})();
                }).share();
      make_ = {};  // so that the decoder goes when it is done
    }
    pixels = pixels_;
  }
  return pixels.get();
}

Frame SharedImage::on_card(const Queue& queue, int layer) const {
  return *as_it_lies_[static_cast<std::size_t>(layer)].of(queue.card(), [&] {
    RowProgress ready;
    ready.finish();
    return std::make_shared<const Frame>(queue.upload(pixels(), layer, ready, Storage::pitched));
  });
}

PerCard<Frame> SharedImage::kept(Form form) const {
  form.as.name.clear();
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(forms_, form, &Kept::form);
  if (known != forms_.end()) return known->frames;
  Kept fresh{std::move(form), {}};
  if (forms_.size() < most_forms) forms_.push_back(fresh);
  return fresh.frames;
}

}  // namespace cuimg

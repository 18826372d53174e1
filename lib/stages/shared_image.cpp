// SPDX-License-Identifier: Apache-2.0
#include "stages/shared_image.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "base/contains.h"
#include "base/error.h"
#include "base/threads.h"
#include "io/black_image.h"
#include "io/codec.h"
#include "stages/kept_frame.h"
#include "stages/run_cache.h"

namespace cuimg {
namespace {

// Forms depend on the inputs' layers and encodings, which are mostly the same for all inputs.
constexpr std::size_t most_forms = 16;

// A file and the names of its parts.
struct Parts {
  std::shared_ptr<const ByteSource> source;
  std::vector<std::string> names;
};

std::shared_ptr<const Parts> list_parts(const std::string& path, const StageContext& context) {
  DecodeOptions options = context.decode;
  options.mip_level = 0;
  options.notify = {};
  auto parts = std::make_shared<Parts>();
  parts->source = ByteSource::open(path);
  const std::unique_ptr<ImageFile> file = open_file(parts->source, options);
  for (int i = 0; i < file->part_count(); ++i) parts->names.push_back(file->summary(i).name);
  return parts;
}

bool are_all_different(std::vector<std::string> names) {
  std::ranges::sort(names);
  return !names.front().empty() && std::ranges::adjacent_find(names) == names.end();
}

// The part that belongs to the first image.
int paired_part(const std::vector<std::string>& names, const std::string& path,
                const StageContext& context) {
  const std::string& wanted = context.part_name;
  if (names.size() == 1) return 0;
  if (!wanted.empty() && std::ranges::count(names, wanted) == 1)
    return static_cast<int>(std::ranges::find(names, wanted) - names.begin());
  if (context.parts == 1 || (!wanted.empty() && are_all_different(names))) return 0;
  if (std::ssize(names) == context.parts) return context.part;
  const std::string count = std::to_string(context.parts);
  throw Error(path,
              "it has " + std::to_string(names.size()) + " parts and the picture's file " + count +
                  ", and no names say which belong together",
              "give a file of one part or of " + count);
}

}  // namespace

std::uint64_t memory_of(const Decoder& decoder) {
  return decoder.spec().pixel_bytes() + decoder.held_bytes();
}

int input_part(const ImageFile& file, const std::string& path, const StageContext& context,
               std::string& warning) {
  const int part = find_part(file, context.decode.part, path);
  if (file.part_count() > 1)
    warning = path + ": " + std::to_string(file.part_count()) + " parts; only part " +
              part_text(part, file.summary(part).name) + " is taken; --part chooses";
  return part;
}

std::shared_ptr<const SharedImage> SharedImage::open(const std::string& path, bool raw,
                                                     const StageContext& context, const Use& use) {
  RunCache* const cache = context.run;
  const std::string form = cache != nullptr ? cache->black_form(path) : "";
  const auto parts = once_a_run<Parts>(cache, path, path, [&] {
    auto listed = list_parts(form.empty() ? path : form, context);
    if (cache != nullptr) cache->of_file(path).add_held(listed->source->bytes().size());
    return listed;
  });
  const bool is_input = contains(context.inputs, path);
  const int paired = is_input ? 0 : paired_part(parts->names, path, context);
  const std::string part = is_input ? context.decode.part.text : std::to_string(paired);
  const std::string name = (raw ? "raw " : "") + use.name + ": part " + part + ": " + path;
  const auto image = once_a_run<SharedImage>(cache, path, name, [&] {
    DecodeOptions options = context.decode;
    options.raw = raw;
    if (!is_input) options.mip_level = 0;
    // The decoder outlives this input, so it must not report to it.
    const auto notes = std::make_shared<std::vector<std::string>>();
    options.notify = [notes](const std::string& note) { notes->push_back(note); };
    const std::unique_ptr<ImageFile> file = open_file(parts->source, options);
    std::string warning;
    std::unique_ptr<Decoder> opened_part =
        file->open(is_input ? input_part(*file, path, context, warning) : paired);
    std::string left_out = opened_part->left_out();
    if (!left_out.empty()) left_out.insert(0, path + ": ");
    if (!form.empty()) opened_part = std::make_unique<BlackImage>(std::move(opened_part));
    const std::shared_ptr<Decoder> decoder = std::move(opened_part);
    if (cache != nullptr) cache->of_file(path).add_held(memory_of(*decoder));
    const auto read = [decoder, source = parts->source] {
      std::optional<Image> whole;
      source->read_whole([&] { whole = decoded(*decoder); });
      return std::move(*whole);
    };
    std::shared_ptr<SharedImage> opened;
    if (use.extract) {
      Extract extract = use.extract(decoder->spec());
      opened = std::make_shared<SharedImage>(
          std::move(extract.spec), [read, make = std::move(extract.make)] { return make(read()); });
    } else {
      opened = std::make_shared<SharedImage>(decoder->spec(), read);
    }
    opened->notes_ = *notes;
    opened->warning_ = std::move(warning);
    opened->left_out_ = std::move(left_out);
    return opened;
  });
  if (context.decode.notify)
    for (const std::string& note : image->notes_) context.decode.notify(note);
  if (context.warn_of_parts && !image->warning_.empty()) context.warn_of_parts(image->warning_);
  if (context.decode.warn && !image->left_out_.empty()) context.decode.warn(image->left_out_);
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
    // Not on the caller's thread, which may be one of oneTBB's: a decoder that waits there for its
    // own work could be given another item that waits for these pixels.
    if (!pixels_.valid()) {
      try {
        pixels_ = std::async(std::launch::async, [make = make_]() mutable {
                    return std::exchange(make, {})();
                  }).share();
      } catch (const std::system_error& error) {
        fail_to_start_thread(error);
      }
      make_ = {};  // so that the decoder is destroyed when it is done
    }
    pixels = pixels_;
  }
  return pixels.get();
}

Frame SharedImage::upload(const Queue& queue, int layer, const Rect& part) const {
  // The whole file is read in any case: a corrupt file is an error wherever it lies.
  const Image& image = pixels();
  RowProgress ready;
  ready.finish();
  return queue.upload(image, layer, part, ready, Storage::pitched);
}

Frame SharedImage::on_card(const Queue& queue, int layer, const Rect& region) const {
  const auto i = static_cast<std::size_t>(layer);
  const LayerSpec& as = spec_.layers[i];
  return kept_or_part(queue, as_it_lies_[i],
                      {spec_.data_window, as.type, as.channel_count(), Storage::pitched}, region,
                      [&](const Rect& part) { return upload(queue, layer, part); });
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

// SPDX-License-Identifier: Apache-2.0
// An image that all inputs of a run share, such as the file of --with: its header is read when a
// stage is prepared, its pixels when a run first needs them, and a card receives them once.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/per_card.h"
#include "stages/stage.h"

namespace cuimg {

class ByteSource;
class Decoder;
class ImageFile;

/// The memory for keeping a whole image, in addition to the pages of its mapped file: its pixels,
/// and the decoder's memory.
std::uint64_t memory_of(const Decoder& decoder);

class SharedImage {
 public:
  /// The data kept of a file instead of its pixels: a mask of one channel, a map of two.
  struct Extract {
    Spec spec;
    std::function<Image(const Image& file)> make;
  };
  struct Use {
    std::string name;  ///< Must differ for everything that can be made from the same file.
    std::function<Extract(const Spec& file)> extract;  ///< Empty: the file itself.
  };

  /// Reads a file's header, once in a run. Standard input, "-", can be read once: give a context
  /// with a RunCache. If it has several parts, it takes the one with the same name as the first
  /// image's; if either file has no names, or names that are not all different, the one with the
  /// same number; otherwise the first. For a reducer's INPUT it takes the part that --part names.
  /// Mip levels only apply to the first image.
  /// @param raw whether values are used as stored. @param context limits, threads, notes.
  /// @throws Error if the file cannot be opened, or if neither names nor numbers determine the
  /// part, or what `use` throws.
  static std::shared_ptr<const SharedImage> open(const std::string& path, bool raw,
                                                 const StageContext& context, const Use& use = {});
  /// @param make returns an image with the spec's form; called once, by the first call of pixels(),
  /// on a separate thread.
  SharedImage(Spec spec, std::function<Image()> make);
  explicit SharedImage(Image image);

  const Spec& spec() const { return spec_; }
  /// @throws the error of making them, every time.
  const Image& pixels() const;

  /// A layer as stored, in a card's pitched memory: at least the intersection of `region` and the
  /// data window. See kept_or_part().
  Frame on_card(const Queue& queue, int layer, const Rect& region) const;
  /// Uploads a part of a layer for the caller alone.
  Frame upload(const Queue& queue, int layer, const Rect& part) const;

  /// A layer in another form.
  struct Form {
    int layer;
    LayerSpec as;  ///< Its name does not matter.
    ColorEncoding color;
    bool raw;
    friend bool operator==(const Form&, const Form&) = default;
  };
  /// The place where cards keep that form. The same for all callers, unless they request very many
  /// forms.
  PerCard<Frame> kept(Form form) const;

 private:
  const Spec spec_;
  std::vector<std::string> notes_;  ///< The decoder's notes, for every input.
  std::string warning_;             ///< About parts that are left out; or empty.
  std::string left_out_;            ///< About content that the reader leaves out; or empty.
  std::vector<PerCard<Frame>> as_it_lies_;

  mutable std::mutex mutex_;  ///< Guards the following members.
  mutable std::function<Image()> make_;
  mutable std::shared_future<Image> pixels_;
  struct Kept {
    Form form;
    PerCard<Frame> frames;
  };
  mutable std::vector<Kept> forms_;
};

/// The part of a reducer's INPUT to use. @param warning gets a message about the others.
/// @throws Error for a part that does not exist.
int input_part(const ImageFile& file, const std::string& path, const StageContext& context,
               std::string& warning);

}  // namespace cuimg

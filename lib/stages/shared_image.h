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

/// What holding an image whole takes of memory besides the pages of its mapped file: its pixels,
/// and what decoding them holds.
std::uint64_t memory_of(const Decoder& decoder);

class SharedImage {
 public:
  /// What is kept of a file instead of its own pixels: a mask of one channel, a map of two.
  struct Extract {
    Spec spec;
    std::function<Image(const Image& file)> make;
  };
  struct Use {
    std::string name;  ///< Another one for everything that can be made of the same file.
    std::function<Extract(const Spec& file)> extract;  ///< Empty: the file itself.
  };

  /// Reads a file's header, once in a run. Standard input, "-", can be read once: give a context
  /// with a RunCache. Of several parts it takes the one that is named as the first image's; where
  /// one of both has no names, or names that are not all different, the one of the same number;
  /// else the first. Of a reducer's INPUT it takes the one that --part names. Mip levels are the
  /// first image's alone.
  /// @param raw whether values are taken as they are stored. @param context limits, threads, notes.
  /// @throws Error when the file cannot be opened, when neither names nor numbers say which part is
  /// meant, or what `use` throws.
  static std::shared_ptr<const SharedImage> open(const std::string& path, bool raw,
                                                 const StageContext& context, const Use& use = {});
  /// @param make of the spec's form; called once, by the first call of pixels(), on a thread of its
  /// own.
  SharedImage(Spec spec, std::function<Image()> make);
  explicit SharedImage(Image image);

  const Spec& spec() const { return spec_; }
  /// @throws what making them threw, each time.
  const Image& pixels() const;

  /// A layer as it lies, in a card's pitched memory: of what `region` and the data window share at
  /// least. See kept_or_part().
  Frame on_card(const Queue& queue, int layer, const Rect& region) const;
  /// Uploads a part of a layer for the caller alone.
  Frame upload(const Queue& queue, int layer, const Rect& part) const;

  /// A layer in another form.
  struct Form {
    int layer;
    LayerSpec as;  ///< Its name says nothing.
    ColorEncoding color;
    bool raw;
    friend bool operator==(const Form&, const Form&) = default;
  };
  /// Where cards keep that form. The same for all callers, unless they ask for very many forms.
  PerCard<Frame> kept(Form form) const;

 private:
  const Spec spec_;
  std::vector<std::string> notes_;  ///< What the decoder had to say, for every input.
  std::string warning_;             ///< Of parts that are left out; or empty.
  std::string left_out_;            ///< Of what the reader leaves out; or empty.
  std::vector<PerCard<Frame>> as_it_lies_;

  mutable std::mutex mutex_;  ///< Guards what follows.
  mutable std::function<Image()> make_;
  mutable std::shared_future<Image> pixels_;
  struct Kept {
    Form form;
    PerCard<Frame> frames;
  };
  mutable std::vector<Kept> forms_;
};

/// The part to take of a reducer's INPUT. @param warning gets what to say of the others.
/// @throws Error for a part that does not exist.
int input_part(const ImageFile& file, const std::string& path, const StageContext& context,
               std::string& warning);

}  // namespace cuimg

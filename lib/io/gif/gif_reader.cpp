// SPDX-License-Identifier: Apache-2.0
// giflib's calls, each checked.
#include "io/gif/gif_reader.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace cuimg {

GifReader::GifReader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)) {
  int error = 0;
  gif_.reset(DGifOpen(this, read_bytes, &error));
  if (!gif_) {
    const char* text = GifErrorString(error);
    fail(past_end_ ? "truncated" : text != nullptr ? text : "the header is malformed");
  }
}

int GifReader::read_bytes(GifFileType* gif, GifByteType* to, int count) {
  auto& reader = *static_cast<GifReader*>(gif->UserData);
  const auto wanted = static_cast<std::size_t>(std::max(count, 0));
  const auto bytes = reader.source_->bytes();
  const std::size_t taken = std::min(wanted, bytes.size() - reader.at_);
  if (taken > 0) std::memcpy(to, bytes.data() + reader.at_, taken);
  reader.at_ += taken;
  if (taken < wanted) reader.past_end_ = true;
  return static_cast<int>(taken);
}

void GifReader::fail(const std::string& problem) const {
  throw Error(source_->name(), "GIF: " + problem);
}

void GifReader::check(int status) const {
  if (past_end_) fail("truncated");
  if (status == GIF_OK) return;
  const char* text = GifErrorString(gif_->Error);
  fail(text != nullptr ? text : "the data is malformed");
}

GifRecordType GifReader::next_record() {
  GifRecordType type = UNDEFINED_RECORD_TYPE;
  check(DGifGetRecordType(gif_.get(), &type));
  return type;
}

int GifReader::read_extension(std::vector<std::span<const std::byte>>& blocks) {
  blocks.clear();
  int label = 0;
  GifByteType* block = nullptr;
  check(DGifGetExtension(gif_.get(), &label, &block));
  for (; block != nullptr; check(DGifGetExtensionNext(gif_.get(), &block))) {
    // Points to where giflib has just read the block; giflib's own copy is valid until the next.
    const std::size_t size = block[0];
    blocks.push_back(source_->bytes().subspan(at_ - size, size));
  }
  return label;
}

void GifReader::read_image() {
  check(DGifGetImageDesc(gif_.get()));
  // giflib remembers every image for calls that are not used here.
  GifFreeSavedImages(gif_.get());
  gif_->ImageCount = 0;
}

void GifReader::read_row(std::span<std::uint8_t> row) {
  check(DGifGetLine(gif_.get(), row.data(), static_cast<int>(row.size())));
}

std::uint64_t GifReader::skip_pixels() {
  const std::size_t start = at_;
  int code_size = 0;
  GifByteType* block = nullptr;
  check(DGifGetCode(gif_.get(), &code_size, &block));
  while (block != nullptr) check(DGifGetCodeNext(gif_.get(), &block));
  return at_ - start;
}

}  // namespace cuimg

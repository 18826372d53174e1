// SPDX-License-Identifier: Apache-2.0
#include "io/png/png_reader.h"

#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace cuimg {
namespace {

PngReader& reader_of(png_voidp pointer) { return *static_cast<PngReader*>(pointer); }

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  PngReader& reader = reader_of(png_get_error_ptr(png));
  std::snprintf(reader.problem, sizeof reader.problem, "%s", message);
  png_longjmp(png, 1);
}

void on_warning(png_structp png, png_const_charp message) {
  if (std::strncmp(message, "iCCP", 4) == 0) {
    char(&problem)[128] = reader_of(png_get_error_ptr(png)).profile_problem;
    std::snprintf(problem, sizeof problem, "%s", message);
  }
  // libpng 1.6.48 only warns of damage that is an error in 1.6.39: in IEND, and in a palette that
  // RGB pixels do not need. Names of critical chunks begin with a capital.
  if (message[0] < 'a' && std::strstr(message, ": CRC error") != nullptr) {
    char(&problem)[128] = reader_of(png_get_error_ptr(png)).damaged_chunk;
    std::snprintf(problem, sizeof problem, "%s", message);
  }
  // Extra data after the last row is harmless; a wrong checksum is not.
  if (std::strstr(message, "incorrect data check") != nullptr)
    reader_of(png_get_error_ptr(png)).bad_checksum = true;
}

void on_read(png_structp png, png_bytep to, std::size_t count) {
  PngReader& reader = reader_of(png_get_io_ptr(png));
  if (count > reader.size - reader.at) png_error(png, "the file is truncated");
  std::memcpy(to, reader.data + reader.at, count);
  reader.at += count;
}

// libpng allocates memory by the chunk's stated length, and fills it, before it reads one byte.
// Pixels are read piece by piece. @param to_pixels only checks chunks before the pixels.
bool has_cut_chunk(const PngReader& reader, bool to_pixels) {
  constexpr std::size_t signature = 8, frame = 12;
  const std::span<const std::byte> file(reader.data, reader.size);
  for (std::size_t at = signature; file.size() > at && file.size() - at >= frame;) {
    const std::size_t size = png_number(file, at);
    const std::string_view name = text_of_bytes(file.subspan(at + 4, 4));
    const bool has_pixels = name == "IDAT";
    if (name == "IEND" || (has_pixels && to_pixels)) return false;
    if (size > file.size() - at - frame) return !has_pixels;
    at += frame + size;
  }
  return false;
}

bool refuse_truncated(PngReader& reader) {
  std::snprintf(reader.problem, sizeof reader.problem, "the file is truncated");
  return false;
}

// @returns whether all critical chunks read so far are undamaged.
bool chunks_are_whole(PngReader& reader) {
  if (reader.damaged_chunk[0] == 0) return true;
  std::snprintf(reader.problem, sizeof reader.problem, "%s", reader.damaged_chunk);
  return false;
}

}  // namespace

PngReader::~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }

bool png_begin(PngReader& reader, std::span<const std::byte> bytes, std::uint32_t limit_side) {
  reader.data = bytes.data();
  reader.size = bytes.size();
  reader.limit_side = limit_side;
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
  if (reader.png != nullptr) reader.info = png_create_info_struct(reader.png);
  if (reader.info == nullptr) {
    std::snprintf(reader.problem, sizeof reader.problem, "libpng cannot start");
    return false;
  }
  if (has_cut_chunk(reader, true)) return refuse_truncated(reader);
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  constexpr png_alloc_size_t most_in_a_chunk = png_alloc_size_t{1} << 25;
  png_set_user_limits(reader.png, reader.limit_side, reader.limit_side);
  png_set_chunk_malloc_max(reader.png, most_in_a_chunk);
  png_set_crc_action(reader.png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  png_set_read_fn(reader.png, &reader, on_read);
  png_read_info(reader.png, reader.info);
  return chunks_are_whole(reader);
}

bool png_choose_output(PngReader& reader, const PngForm& form) {
  reader.form = form;
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_set_expand(reader.png);
  if (reader.form.to_16_bits) png_set_expand_16(reader.png);
  if (reader.form.to_rgb) png_set_gray_to_rgb(reader.png);
  if constexpr (std::endian::native == std::endian::little) png_set_swap(reader.png);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  return true;
}

bool png_next_rows(PngReader& reader, png_bytepp rows, png_uint_32 count) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_rows(reader.png, rows, nullptr, count);
  return true;
}

bool png_whole_image(PngReader& reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_image(reader.png, rows);
  return true;
}

bool png_finish(PngReader& reader) {
  if (has_cut_chunk(reader, false)) return refuse_truncated(reader);
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_end(reader.png, reader.info);
  if (reader.bad_checksum) {
    std::snprintf(reader.problem, sizeof reader.problem, "the pixels' checksum is wrong");
    return false;
  }
  return chunks_are_whole(reader);
}

}  // namespace cuimg

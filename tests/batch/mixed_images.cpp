// SPDX-License-Identifier: Apache-2.0
#include "batch/mixed_images.h"

#include <algorithm>
#include <random>
#include <sstream>

#include "io/codec.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

// The options with which a kind of file is written, and the channels that its format has.
struct Kind {
  const char* ending;
  Words options;
  const char* channels;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"exr", {"--type", "half", "--compression", "none"}, "RGBA"},
      {"png", {}, "RGBA"},
      {"jpg", {}, "RGB"},
      {"exr", {"--type", "half", "--compression", "zip"}, "RGBA"},
      {"tif", {"--type", "u8", "--compression", "deflate"}, "RGBA"},
      {"hdr", {}, "RGB"},
      {"exr", {"--type", "float", "--compression", "piz"}, "RGB"},
      {"ppm", {}, "RGB"},
      {"tga", {"--compression", "rle"}, "RGBA"},
      {"png", {"--type", "u16"}, "YA"},
      {"pfm", {}, "RGB"},
      {"exr", {"--type", "half", "--compression", "zips"}, "Y"},
      {"bmp", {}, "RGB"},
      {"pam", {"--type", "u16"}, "RGBA"},
      {"jpg", {"--quality", "60"}, "Y"},
      {"exr", {"--type", "half", "--compression", "dwaa"}, "RGB"},
      {"tif", {"--type", "float", "--compression", "none"}, "RGB"},
      {"pgm", {}, "Y"},
      {"exr", {"--type", "half", "--compression", "rle"}, "YA"},
      {"tif", {"--type", "u16"}, "Y"},
      {"exr", {"--type", "half", "--compression", "b44"}, "RGBA"},
      {"png", {}, "Y"},
      {"exr", {"--type", "float", "--compression", "pxr24"}, "RGBA"},
      {"tga", {"--compression", "none"}, "RGB"},
  };
  return all;
}

using Random = std::minstd_rand;

std::string size_of(int number, bool full, Random& random) {
  const auto side = [&](int most) { return std::to_string(1 + random() % most); };
  switch (number % 10) {
    case 0:
      return "1x1";
    case 1:
      return "1x" + side(300);
    case 2:
      return side(300) + "x1";
    case 3:
      return !full ? "640x480" : number % 100 == 3 ? "7680x4320" : "1920x1080";
    case 4:
      return full && number % 50 == 4 ? "3840x2160" : "333x257";
    case 5:
      return side(16) + "x" + side(16);
    default:
      return side(250) + "x" + side(250);
  }
}

void make(const Words& words) {
  Words all = {CUIMG_PROGRAM};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = run(all);
  if (outcome.exit != 0) throw std::runtime_error(outcome.err);
}

Words source(int number, const std::string& size, const std::string& channels) {
  const std::string seed = std::to_string(number);
  if (channels == "RGB" && number % 3 == 0)
    return {"checker", "--size", size, "--cell", "7", "--colors", "0.1,0.4,0.2 0.9,0.3,0.8"};
  if (channels == "Y" && number % 2 == 0) return {"zoneplate", "--size", size};
  return {"noise", "--size", size, "--seed", seed, "--channels", channels};
}

Spec part(const std::string& name, const Rect& window, int channels) {
  Spec spec = spec_of(window, PixelType::half, channels);
  spec.part_name = name;
  return spec;
}

void make_parts(const std::string& path, unsigned seed) {
  std::vector<Image> parts;
  parts.push_back(noise(part("beauty", {0, 0, 90, 62}, 4), seed));
  parts.push_back(noise(part("small", {13, 22, 17, 15}, 3), seed + 1));
  parts.push_back(noise(part("grey", {-2, -1, 49, 33}, 1), seed + 2));
  for (Image& image : parts) image.editable_spec().display_window = {0, 0, 90, 62};
  write_parts(path, parts, *codec_named("exr"));
}

void make_image(const std::string& stem, int number, const std::string& size) {
  const Kind& kind = kinds()[static_cast<std::size_t>(number) % kinds().size()];
  const std::string path = stem + "." + kind.ending;
  Words words = source(number, size, kind.channels);
  if (number % 4 == 3 && std::string(kind.ending) == "exr") {
    const int width = std::stoi(size), height = std::stoi(size.substr(size.find('x') + 1));
    const auto text = [](int value) { return std::to_string(value); };
    words.insert(words.end(), {"+", "crop", "--region",  // keeps the display window
                               text(width - width / 3) + "x" + text(height - height / 4) + "+" +
                                   text(width / 5) + "+" + text(height / 5)});
  }
  words.insert(words.end(), kind.options.begin(), kind.options.end());
  words.push_back(path);
  make(words);
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// A file that every decoder must refuse as incomplete or damaged. @returns its name.
std::string make_damaged(const std::string& stem, int number, Random& random) {
  const std::string path = stem + (number % 2 == 0 ? ".png" : ".exr");
  // Noise would be stored uncompressed, and a changed byte of it would just be other noise.
  make({"zoneplate", "--size", "190x170", "--compression", number % 2 == 0 ? "6" : "zip", path});
  std::string bytes = read_file(path);
  switch (number / 25 % 4) {
    case 0:
      bytes.resize(bytes.size() / 4 + random() % (bytes.size() / 2));
      break;
    case 1:  // in the middle of compressed data, which has a checksum
      for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 200; ++i)
        bytes[i] = static_cast<char>(random());
      break;
    case 2:
      bytes.clear();
      break;
    default:
      bytes = "no image at all\n";
  }
  write_bytes(path, bytes);
  return std::filesystem::path(path).filename();
}

}  // namespace

int mixed_image_count() {
  const char* const count = getenv("CUIMG_MIXED_IMAGES");
  return count != nullptr ? std::max(25, std::stoi(count)) : 48;
}

int mixed_image_rank(int number) {
  if (number % 100 == 3) return 0;
  if (number % 50 == 4) return 1;
  return number % 10 == 3 ? 2 : number % 10 == 4 ? 3 : 4;
}

std::set<std::string> make_mixed_images(const std::string& folder, int count) {
  std::filesystem::create_directories(folder);
  std::set<std::string> damaged;
  Random random(20261123);
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    const std::string stem =
        folder + "/" + std::string(3 - std::min<std::size_t>(3, number.size()), '0') + number;
    const std::string size = size_of(i, count >= 300, random);
    if (i % 25 == 12) {
      damaged.insert(make_damaged(stem, i, random));
    } else if (i % 24 == 7) {
      make_parts(stem + ".exr", static_cast<unsigned>(i));
    } else if (i % 24 == 19) {
      make_parts(stem + "-parts.exr", static_cast<unsigned>(i));
      make({"convert", stem + "-parts.exr", stem + ".tif"});
      std::filesystem::remove(stem + "-parts.exr");
    } else if (i % 24 == 10) {
      make({"resize", "--size", size, CUIMG_SAMPLES_FOLDER "/images/layers.exr", stem + ".exr"});
    } else {
      make_image(stem, i, size);
    }
  }
  return damaged;
}

Files files_in(const std::string& folder) {
  Files files;
  std::error_code absent;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, absent))
    files[entry.path().lexically_relative(folder)] = read_file(entry.path());
  return files;
}

std::string difference_of(const Files& made, const Files& expected) {
  std::string text;
  for (const auto& [name, bytes] : made) {
    const auto other = expected.find(name);
    if (other == expected.end())
      text += name + " should not be there\n";
    else if (other->second != bytes)
      text += name + " differs\n";
  }
  for (const auto& [name, bytes] : expected)
    if (!made.contains(name)) text += name + " is not there\n";
  return text;
}

std::set<std::string> names_in_errors(const std::string& err) {
  std::set<std::string> names;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ", 7), slash = line.rfind('/', colon);
    if (colon == std::string::npos || slash == std::string::npos) continue;
    names.insert(line.substr(slash + 1, colon - slash - 1));
  }
  return names;
}

}  // namespace cuimg::test

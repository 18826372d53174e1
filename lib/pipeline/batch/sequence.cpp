// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/sequence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "base/utf8.h"
#include "io/folder_entry.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

// The position of the number in a name.
struct NumberPlace {
  std::size_t begin = 0, length = 0;
  int digits = 1;
};

// The first position at or after `from`.
std::optional<NumberPlace> find_place(std::string_view name, std::size_t from) {
  for (std::size_t i = from; i < name.size(); ++i) {
    if (name[i] == '#') {
      const std::size_t end = std::min(name.find_first_not_of('#', i), name.size());
      if (end - i >= 2) return NumberPlace{i, end - i, static_cast<int>(end - i)};
      continue;
    }
    if (name[i] != '%') continue;
    std::size_t end = i + 1;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end == name.size() || name[end] != 'd') continue;
    int digits = 1;
    if (end > i + 1) {
      // %4d would pad with blanks.
      if (name[i + 1] != '0') continue;
      const char* const last = name.data() + end;
      if (std::from_chars(name.data() + i + 1, last, digits).ec != std::errc() || digits > 9)
        continue;
    }
    return NumberPlace{i, end + 1 - i, std::max(digits, 1)};
  }
  return std::nullopt;
}

// The frames whose files are in the name's folder.
// @param error is set if the folder cannot be read.
std::set<int> search_frames(const std::string& name, std::error_code& error) {
  const fs::path path(name);
  const std::string folder = path.parent_path().string(), file = path.filename().string();
  if (names_frames(folder))
    throw Error(name, "the folder's name contains a frame number", "give --frames");
  const NumberPlace place = *find_place(file, 0);
  const std::string before = file.substr(0, place.begin);
  std::set<int> frames;
  fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const std::string there = entry->path().filename().string();
    if (!there.starts_with(before) || is_pipe_or_device(*entry)) continue;
    std::size_t last = before.size() + (there.substr(before.size()).starts_with('-') ? 1 : 0);
    while (last < there.size() && is_digit(there[last])) ++last;
    int frame = 0;
    const auto read = std::from_chars(there.data() + before.size(), there.data() + last, frame);
    if (read.ec == std::errc() && name_of_frame(file, frame) == there) frames.insert(frame);
  }
  return frames;
}

[[noreturn]] void refuse_folder(const std::string& name, const std::error_code& error) {
  const std::string folder = fs::path(name).parent_path().string();
  throw Error(folder.empty() ? "." : folder, error.message());
}

std::set<int> frames_on_disk(const std::string& name) {
  std::error_code error;
  std::set<int> frames = search_frames(name, error);
  if (error) refuse_folder(name, error);
  if (frames.empty()) throw Error(name, "no frame of the sequence exists");
  return frames;
}

// Those of the frames that have a file.
std::set<int> existing_frames(const std::string& name, std::span<const int> frames) {
  std::set<int> there;
  std::error_code ignored;
  for (const int frame : frames)
    if (fs::exists(name_of_frame(name, frame), ignored)) there.insert(frame);
  return there;
}

// The frames that may replace missing ones: all that exist, so that the replacement does not depend
// on the requested part of the sequence. A folder whose name also contains the number is not
// searched.
std::set<int> frames_to_hold(const std::string& name, std::span<const int> asked) {
  if (!names_frames(fs::path(name).parent_path().string())) return frames_on_disk(name);
  std::set<int> there = existing_frames(name, asked);
  if (there.empty()) throw Error(name, "no frame of the sequence exists");
  return there;
}

// The last of these before `frame`, otherwise the first.
int held_frame(const std::set<int>& there, int frame) {
  const auto next = there.upper_bound(frame);
  return next == there.begin() ? *next : *std::prev(next);
}

std::string listed(const std::vector<int>& frames) {
  constexpr std::size_t most = 8;
  std::string text = fmt::format(
      "{}",
      fmt::join(frames.begin(),
                frames.begin() + static_cast<std::ptrdiff_t>(std::min(most, frames.size())), ", "));
  if (frames.size() > most) text += fmt::format(" and {} more", frames.size() - most);
  return text;
}

}  // namespace

bool names_frames(std::string_view name) { return find_place(name, 0).has_value(); }

bool is_sequence(const std::string& name) {
  std::error_code ignored;
  return names_frames(name) && !fs::exists(name, ignored);
}

std::string advice_on_numbers(std::string_view name) {
  return name.find('#') == std::string::npos
             ? ""
             : "a sequence has two # or more, as in.##.exr, or %d: in.%d.exr";
}

std::string name_of_frame(std::string_view name, int frame) {
  std::string result;
  std::size_t at = 0;
  while (const auto place = find_place(name, at)) {
    result += name.substr(at, place->begin - at);
    // as in printf: a minus sign counts as a digit
    result += fmt::format("{:0{}}", frame, place->digits);
    at = place->begin + place->length;
  }
  return result += name.substr(at);
}

std::set<int> frames_there(const std::string& name, const FrameSet& frames) {
  if (!frames.empty()) return existing_frames(name, frames.numbers());
  std::error_code error;
  std::set<int> there = search_frames(name, error);
  if (error && error != std::errc::no_such_file_or_directory) refuse_folder(name, error);
  return there;
}

std::vector<FrameFile> find_frames(const std::string& name, const FrameSet& frames,
                                   MissingFrames missing) {
  std::vector<int> numbers = frames.numbers();
  if (numbers.empty()) {
    const std::set<int> there = frames_on_disk(name);
    if (std::int64_t{*there.rbegin()} - *there.begin() > 10'000'000)
      throw Error(name, "its frame numbers lie too far apart", "give --frames");
    const std::int64_t last = *there.rbegin();  // may be the largest int
    for (std::int64_t frame = *there.begin(); frame <= last; ++frame)
      numbers.push_back(static_cast<int>(frame));
  }
  return find_frames(name, numbers, missing);
}

std::vector<FrameFile> find_frames(const std::string& name, std::span<const int> frames,
                                   MissingFrames missing) {
  std::vector<FrameFile> files;
  std::vector<int> absent;
  for (const int frame : frames) {
    std::string path = name_of_frame(name, frame);
    std::error_code ignored;
    if (fs::exists(path, ignored)) {
      files.push_back({frame, std::move(path)});
      continue;
    }
    absent.push_back(frame);
    if (missing == MissingFrames::hold || missing == MissingFrames::black)
      files.push_back({frame, "", missing == MissingFrames::black});  // its path is set below
  }
  if (missing == MissingFrames::error && !absent.empty())
    throw Error(name,
                fmt::format("frame{} {} {} missing", absent.size() > 1 ? "s" : "", listed(absent),
                            absent.size() > 1 ? "are" : "is"),
                "list the existing frames with --frames, or give --missing skip, hold or black");
  if (files.empty())
    throw Error(name, "none of these frames exists: " + listed(absent),
                "give others with --frames");
  if (!absent.empty() && missing != MissingFrames::skip) {
    const std::set<int> there = frames_to_hold(name, frames);
    for (FrameFile& file : files)
      if (file.path.empty()) file.path = name_of_frame(name, held_frame(there, file.frame));
  }
  return files;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Files that change while they are read.
#include "io/byte_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <numeric>
#include <thread>
#include <vector>

#include "base/error.h"
#include "io/lost_pages.h"
#include "memory_images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

std::string problem_of(const ByteSource& source) {
  return error_of([&] { source.check_complete(); });
}

unsigned sum_of(const ByteSource& source) {
  unsigned sum = 0;
  for (const std::byte b : source.bytes()) sum += static_cast<unsigned>(b);
  return sum;
}

TEST(ByteSource, SurvivesAFileThatBecomesShorter) {
  survive_lost_pages();
  const TempDir folder;
  const std::string path = folder.write("long", std::string(1 << 20, '\1'));
  const auto source = ByteSource::open(path);
  EXPECT_EQ(sum_of(*source), 1u << 20);
  EXPECT_EQ(problem_of(*source), "");
  ASSERT_EQ(truncate(path.c_str(), 1000), 0);
  EXPECT_EQ(sum_of(*source), 1000u);
  EXPECT_NE(problem_of(*source).find("became shorter"), std::string::npos) << problem_of(*source);
  EXPECT_NE(problem_of(*source).find(path), std::string::npos);
  // If it is opened again, its current content is read.
  const auto again = ByteSource::open(path);
  EXPECT_EQ(sum_of(*again), 1000u);
  EXPECT_EQ(problem_of(*again), "");
}

TEST(ByteSource, NamesTheFileThatBecameShorterAlone) {
  survive_lost_pages();
  const TempDir folder;
  std::vector<std::shared_ptr<const ByteSource>> sources;
  std::vector<std::string> paths;
  for (int i = 0; i < 8; ++i) {
    paths.push_back(folder.write(std::to_string(i), std::string(100000, '\1')));
    sources.push_back(ByteSource::open(paths.back()));
  }
  for (int i = 1; i < 8; i += 2)
    ASSERT_EQ(truncate(paths[static_cast<std::size_t>(i)].c_str(), 0), 0);
  {
    std::vector<std::jthread> readers;
    for (const auto& source : sources)
      for (int twice = 0; twice < 2; ++twice) readers.emplace_back([&source] { sum_of(*source); });
  }
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(problem_of(*sources[i]).empty(), i % 2 == 0) << i;
}

TEST(ByteSource, FilesThatBecomeShorterAreNoPictures) {
  survive_lost_pages();
  const TempDir folder;
  for (const std::string format : {"exr", "tiff", "ppm"}) {
    const PixelType type = format == "exr" ? PixelType::half : PixelType::u8;
    const std::string path = folder / ("picture." + format);
    write_image(path, textured(simple_spec(700, 500, {"R", "G", "B"}, type)), *codec_named(format),
                {.compression = format == "ppm" ? "" : "none"});
    const auto source = ByteSource::open(path);
    const auto decoder = open_image(source, {});
    ASSERT_EQ(truncate(path.c_str(), 100000), 0);
    const std::string problem = error_of([&] {
      Image read(decoder->spec());
      RowProgress progress;
      source->read_whole([&] { decoder->read(read, progress); });
    });
    // Whatever the decoder made of the zeros at the end.
    EXPECT_NE(problem.find("became shorter"), std::string::npos) << format << ": " << problem;
  }
}

}  // namespace
}  // namespace cuimg::test

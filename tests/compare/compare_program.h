// SPDX-License-Identifier: Apache-2.0
// A fixture that runs `cuimg compare` in a separate folder for each test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/codec.h"
#include "pictures.h"
#include "support/program_folder.h"

namespace cuimg::test {

class CompareProgramTest : public ProgramFolder {
 protected:
  Outcome compare(std::vector<std::string> words) const {
    words.insert(words.begin(), "compare");
    return cuimg(std::move(words));
  }
  /// The output of --json for one pair.
  nlohmann::json report(std::vector<std::string> words) const {
    words.emplace_back("--json");
    return nlohmann::json::parse(compare(std::move(words)).out);
  }
  void save(const std::string& name, const Image& image) const {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    write_image(path.string(), image, *codec_named(path.extension().string().substr(1)));
  }
  bool exists(const std::string& name) const {
    return std::filesystem::exists(folder_.path() / name);
  }
  std::string text(const std::string& name) const { return read_file(folder_ / name); }

  const Image golden_ = pattern(40, 30, 0, false), result_ = pattern(40, 30, 0, true);
};

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in:\n" << text;
}

}  // namespace cuimg::test

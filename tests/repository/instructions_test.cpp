// SPDX-License-Identifier: Apache-2.0
// Only operations that are written as fused are fused: every compile command has the options that
// forbid others, and the library's machine code contains fused instructions only where the source
// asks for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "repository/tree.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// A source's own path, or those of all sources that a group (cmake/Grouped.cmake) compiles
// together.
std::vector<std::string> compiled_as(const std::filesystem::path& file) {
  const auto path_of = [](const std::filesystem::path& source) {
    return source.lexically_relative(project_folder()).string();
  };
  if (file.parent_path() != std::filesystem::path(CUIMG_BUILD) / "grouped") return {path_of(file)};
  static const std::regex include("#include \"([^\"]+)\"");
  std::vector<std::string> paths;
  const std::string text = text_of(file);
  for (std::sregex_iterator i(text.begin(), text.end(), include), end; i != end; ++i)
    paths.push_back(path_of((*i)[1].str()));
  return paths;
}

TEST(Instructions, AreCompiledWithoutContractionAndForNoParticularProcessor) {
  const auto commands =
      nlohmann::json::parse(text_of(std::filesystem::path(CUIMG_BUILD) / "compile_commands.json"));
  std::size_t seen = 0;
  for (const auto& entry : commands) {
    const std::string command = entry.at("command"), file = entry.at("file");
    const std::vector<std::string> paths = compiled_as(file);
    if (!paths.front().starts_with("lib/") && !paths.front().starts_with("apps/")) continue;
    seen += paths.size();
    EXPECT_NE(command.find("-ffp-contract=off"), std::string::npos) << command;
    for (const char* banned : {" -march", " -mfma", " -mavx", " -ffast-math", " -Ofast",
                               " -funsafe-math", "--use_fast_math", "-ftz=true"})
      EXPECT_EQ(command.find(banned), std::string::npos) << banned << " in " << command;
    if (file.ends_with(".cu")) {
      EXPECT_NE(command.find("--fmad=false"), std::string::npos) << command;
    }
  }
  EXPECT_GT(seen, 150u);
}

// The path of an include such as "kernels/math/math.h" or "image/image.h"; empty if it is not one
// of the project's.
std::string project_header(const std::string& name) {
  for (const char* folder : {"", "lib/"})
    if (std::filesystem::exists(project_folder() / (folder + name))) return folder + name;
  return "";
}

// Whether a file, or a header of the project that it includes, contains fused operations.
// kernels/math/math.h only defines fma; including it is not yet a use.
bool asks_for_fused(const std::string& path, std::set<std::string>& seen) {
  static const std::regex fused(R"(\bfma\(|\b(Neg)?Mul(Add|Sub)\(|_fn?m(add|sub)_)");
  static const std::regex include("#include \"([^\"]+)\"");
  if (path.empty() || path == "kernels/math/math.h" || !seen.insert(path).second) return false;
  const std::string text = text_of(project_folder() / path);
  if (std::regex_search(text, fused)) return true;
  for (std::sregex_iterator i(text.begin(), text.end(), include), end; i != end; ++i)
    if (asks_for_fused(project_header((*i)[1]), seen)) return true;
  return false;
}

#if defined(__aarch64__)
// By its full name, as in a cross-compiler: the objdump of another processor could not read this
// code.
constexpr const char* objdump = "aarch64-linux-gnu-objdump";
constexpr const char* fused_instructions[] = {"fmadd", "fmsub", "fnmadd", "fnmsub",
                                              "fmla",  "fmls",  "fcmla"};
#else
constexpr const char* objdump = "objdump";
constexpr const char* fused_instructions[] = {"vfmadd", "vfmsub", "vfnmadd", "vfnmsub"};
#endif

bool is_fused(const std::string& mnemonic) {
  return std::ranges::any_of(fused_instructions,
                             [&](const char* fused) { return mnemonic.starts_with(fused); });
}

TEST(Instructions, OfTheLibraryAreFusedOnlyWhereTheSourceSaysSo) {
#if !defined(__x86_64__) && !defined(__aarch64__)
  GTEST_SKIP() << "knows the fused instructions of x86-64 and aarch64 only";
#endif
  if (run({objdump, "--version"}).exit != 0) GTEST_SKIP() << "no " << objdump;
  const Outcome dump = run({objdump, "-d", "--no-show-raw-insn", CUIMG_LIBRARY});
  ASSERT_EQ(dump.exit, 0) << dump.err;

  std::map<std::string, int> fused_in;  // number of fused instructions by object
  std::string object;
  std::size_t instructions = 0;
  for (const std::string& line : lines_of(dump.out)) {
    const std::size_t format = line.find(":     file format");
    if (format != std::string::npos) object = line.substr(0, format);
    ++instructions;
    const std::size_t at = line.find('\t');
    if (at == std::string::npos) continue;
    const std::size_t end = line.find_first_of(" \t", at + 1);
    if (is_fused(line.substr(at + 1, end - at - 1))) ++fused_in[object];
  }
  ASSERT_GT(instructions, 10000u);

  const auto sources = files_in({"lib"}, {".cpp", ".cu"});
  for (const auto& [name, count] : fused_in) {
    // resize_cpu.cpp.o comes from lib/stages/resample/resize_cpu.cpp, or from a group.
    const std::string file = name.substr(0, name.size() - 2);
    const auto source = std::find_if(sources.begin(), sources.end(), [&](const SourceFile& s) {
      return s.path.ends_with("/" + file);
    });
    const auto group = std::filesystem::path(CUIMG_BUILD) / "grouped" / file;
    ASSERT_TRUE(source != sources.end() || std::filesystem::exists(group)) << name;
    const std::vector<std::string> paths =
        source != sources.end() ? std::vector<std::string>{source->path} : compiled_as(group);
    EXPECT_TRUE(std::any_of(paths.begin(), paths.end(),
                            [](const std::string& path) {
                              std::set<std::string> seen;
                              return asks_for_fused(path, seen);
                            }))
        << name << " holds " << count << " fused instructions and its source writes none";
  }
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
#include "common/sample.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/card_facts.h"

namespace cuimg::samples {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) {
      if (cell.kind == Cell::Kind::words)
        cells.push_back(cell.shown);
      else if (cell.kind == Cell::Kind::nothing || !std::isfinite(cell.number))
        cells.push_back(nullptr);
      else if (std::trunc(cell.number) == cell.number && std::fabs(cell.number) < 0x1p53)
        cells.push_back(static_cast<std::int64_t>(cell.number));
      else
        cells.push_back(cell.number);
    }
    rows.push_back(std::move(cells));
  }
  return {{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

class Telling final : public Report {
 public:
  Telling(bool on_card, bool json) : on_card_(on_card), json_(json) {}

  bool on_card() const override { return on_card_; }
  void say(const std::string& sentence) override { print(sentence + "\n"); }
  void show(const Table& table) override {
    tables.push_back(json_of(table));
    print(table.as_text());
  }
  void check(bool is_right, const std::string& claim) override {
    checks.push_back({{"right", is_right}, {"claim", claim}});
    all_right = all_right && is_right;
    print((is_right ? "right: " : "WRONG: ") + claim + "\n");
  }
  void wrote(const std::string& path, const std::string& what) override {
    files.push_back({{"path", path}, {"what", what}});
    print(path + ": " + what + "\n");
  }
  void headline(const std::string& words) override { headline_words = words; }

  void print(const std::string& words) {
    all_words += words;
    if (json_) return;
    std::fputs(words.c_str(), stdout);
    std::fflush(stdout);
  }

  Json tables = Json::array(), checks = Json::array(), files = Json::array();
  std::string headline_words, all_words;
  bool all_right = true;

 private:
  bool on_card_, json_;
};

}  // namespace

Sample::Sample(std::string name, std::string teaches, Runs runs)
    : name_(std::move(name)), teaches_(std::move(teaches)), runs_(runs) {
  const bool either = runs_ == Runs::on_card_or_cpu;
  device_ = either ? "auto" : "cuda";
  option("device", device_,
         either ? "auto, cpu, cuda or cuda:N; auto takes a card if there is one"
                : "cuda or cuda:N; without a card the exit code is 77");
  option("json", json_, "print the tables as JSON");
  option("help", help_, "print this");
}

Sample& Sample::option(std::string name, int& value, std::string help, int least, int most) {
  options_.push_back({std::move(name), &value, std::move(help), {}, least, most});
  return *this;
}
Sample& Sample::option(std::string name, double& value, std::string help) {
  options_.push_back({std::move(name), &value, std::move(help)});
  return *this;
}
Sample& Sample::option(std::string name, bool& value, std::string help) {
  options_.push_back({std::move(name), &value, std::move(help)});
  return *this;
}
Sample& Sample::option(std::string name, std::string& value, std::string help,
                       std::vector<std::string> choices) {
  options_.push_back({std::move(name), &value, std::move(help), std::move(choices)});
  return *this;
}

std::string Sample::help() const {
  std::string result = name_ + ": " + teaches_ + "\n";
  for (const Option& option : options_) {
    std::string value, standard;
    if (const auto* number = std::get_if<int*>(&option.value)) {
      value = " N", standard = std::to_string(**number);
    } else if (const auto* real = std::get_if<double*>(&option.value)) {
      value = " X", standard = text("%g", **real);
    } else if (const auto* words = std::get_if<std::string*>(&option.value)) {
      for (const std::string& choice : option.choices)
        value += (value.empty() ? " " : "|") + choice;
      if (value.empty()) value = " WORD";
      standard = **words;
    }
    result += text("  --%-24s %s", (option.name + value).c_str(), option.help.c_str());
    result += standard.empty() ? "\n" : " [" + standard + "]\n";
  }
  return result + "Exit code: 0 right, 1 wrong, 2 an error, 77 what it needs is not there.\n";
}

void Sample::assign(const Option& option, const std::string& word) const {
  const auto number = [&](auto* value, const char* kind) {
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), *value);
    if (code != std::errc() || end != word.data() + word.size())
      throw Error(name_, "--" + option.name + " " + word + " is not " + kind);
  };
  if (const auto* integer = std::get_if<int*>(&option.value)) {
    number(*integer, "a whole number");
    if (**integer < option.least || **integer > option.most)
      throw Error(name_, "--" + option.name + " " + word + " is out of range",
                  text("use %d to %d", option.least, option.most));
  }
  if (const auto* real = std::get_if<double*>(&option.value)) number(*real, "a number");
  if (const auto* words = std::get_if<std::string*>(&option.value)) {
    std::string known;
    for (const std::string& choice : option.choices) known += " " + choice;
    if (!known.empty() && std::ranges::find(option.choices, word) == option.choices.end())
      throw Error(name_, "--" + option.name + " " + word + " is unknown", "use one of" + known);
    **words = word;
  }
}

void Sample::parse(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto option = std::ranges::find_if(
        options_, [&](const Option& candidate) { return word == "--" + candidate.name; });
    if (option == options_.end()) throw Error(name_, word + " is unknown", "see --help");
    if (const auto* flag = std::get_if<bool*>(&option->value)) {
      **flag = true;
    } else {
      if (i + 1 == argc) throw Error(name_, word + " needs a value", "see --help");
      assign(*option, argv[++i]);
    }
  }
}

int Sample::run_by(int argc, char** argv, const void* work,
                   void (*call)(const void*, Report&)) try {
  const std::string help_text = help();  // before parsing changes the defaults
  parse(argc, argv);
  if (help_) {
    std::fputs(help_text.c_str(), stdout);
    return right;
  }
  const bool on_card = use_device(name_, device_, runs_ == Runs::on_card_or_cpu);
  Telling report(on_card, json_);
  const CardFacts card = on_card ? card_facts() : CardFacts{"CPU", ""};
  report.print(name_ + " on " + card.name + (card.driver.empty() ? "" : ", " + card.driver) + "\n");
  call(work, report);
  if (json_) {
    const Json all = {{"sample", name_},           {"teaches", teaches_},
                      {"device", card.name},       {"driver", card.driver},
                      {"right", report.all_right}, {"headline", report.headline_words},
                      {"tables", report.tables},   {"checks", report.checks},
                      {"files", report.files},     {"text", report.all_words}};
    std::puts(all.dump(1).c_str());
  }
  return report.all_right ? right : wrong;
} catch (const Skipped& skipped) {
  std::fprintf(stderr, "%s: skipped: %s\n", name_.c_str(), skipped.what());
  return no_card;
} catch (const std::exception& problem) {
  // The sample's own errors begin with its name, those of the library with another place.
  std::fprintf(stderr, "%s\n", naming(name_, problem.what(), {name_}).c_str());
  return error;
}

}  // namespace cuimg::samples

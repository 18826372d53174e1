// SPDX-License-Identifier: Apache-2.0
// Completion for bash, zsh and fish. Each script finds the stage of the segment that contains the
// cursor, then completes its options, the common ones, and their values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/message_text.h"
#include "pipeline/derive/program.h"
#include "pipeline/segments.h"

namespace cuimg {
namespace {

// A stage or command for the purpose of completion.
struct Subject {
  const Description* description;
  std::vector<Parameter> common;  // Of a command; stages have all of them.
  bool is_stage = false;
  bool takes_files = true;
  std::vector<std::string> operand_words = {};
};

std::vector<Subject> subjects(const Program& program) {
  const std::vector<Parameter>& all = common_options().parameters;
  std::vector<Subject> result;
  for (const StageDescription* stage : program.stages()) result.push_back({stage, all, true});
  for (const PlainSegment& segment : plain_segments())
    result.push_back({&segment.description(), all, segment.follows_others});
  for (const Command& command : program.commands) {
    Subject subject{&command.description, common_parameters(command)};
    subject.takes_files = !command.operands.empty() && !command.operand_words;
    if (command.operand_words) subject.operand_words = command.operand_words(program);
    result.push_back(std::move(subject));
  }
  return result;
}

std::vector<const Parameter*> parameters_of(const Subject& subject) {
  std::vector<const Parameter*> result;
  for (const Parameter& p : subject.description->parameters) result.push_back(&p);
  for (const Parameter& p : subject.common) result.push_back(&p);
  return result;
}

std::vector<std::string> spellings(const Parameter& p) {
  std::vector<std::string> result = {"--" + p.name};
  if (p.negatable()) result.push_back("--no-" + p.name);
  if (p.short_name != 0) result.push_back(std::string("-") + p.short_name);
  return result;
}

std::vector<std::string> values(const Parameter& p) {
  std::vector<std::string> result = p.suggestions;
  for (const Choice<int>& choice : p.choices) result.emplace_back(choice.name);
  return result;
}

std::string names(const std::vector<Subject>& all, bool stages_only) {
  std::string result;
  for (const Subject& s : all)
    if (!stages_only || s.is_stage) add_item(result, s.description->name, " ");
  return result;
}

// Joins words into one of the shell's words.
template <class Words>
std::string quoted_list(const Words& words) {
  return single_quoted(fmt::format("{}", fmt::join(words, " ")));
}

// The branches of a `case` over "STAGE OPTION" that set `values` or `files`; the same in bash and
// zsh.
std::string value_cases(const std::vector<Subject>& all) {
  std::string text;
  for (const Subject& s : all) {
    for (const Parameter* p : parameters_of(s)) {
      if (p->is_flag) continue;
      std::string pattern;
      for (const std::string& spelling : spellings(*p))
        add_item(pattern, single_quoted(s.description->name + " " + spelling), "|");
      const std::string action = p->is_file ? "files=1" : "values=" + quoted_list(values(*p));
      text += fmt::format("    {}) {}; return 0 ;;\n", pattern, action);
    }
  }
  return text;
}

std::string option_cases(const std::vector<Subject>& all) {
  std::string text;
  for (const Subject& s : all) {
    std::string options;
    for (const Parameter* p : parameters_of(s))
      for (const std::string& spelling : spellings(*p)) add_item(options, spelling, " ");
    const std::string operands =
        s.takes_files ? "files=1" : "operands=" + quoted_list(s.operand_words);
    text += fmt::format("    {}) options={}; {} ;;\n", s.description->name, single_quoted(options),
                        operands);
  }
  return text;
}

std::string bash_script(const std::vector<Subject>& all) {
  return R"(# bash completion for cuimg: source it, or keep it as
# ~/.local/share/bash-completion/completions/cuimg
_cuimg_value() {
  case "$stage $prev" in
)" + value_cases(all) +
         R"(  esac
  return 1
}

_cuimg() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local stage= first=1 begins=1 i end=$COMP_CWORD values= options= operands= files=
  COMPREPLY=()
  # bash splits @FILE after the sign, but replaces all of it.
  if [[ $prev == '@' ]]; then
    cur=@$cur
    ((end--))
  fi
  for ((i = 1; i < end; i++)); do
    case ${COMP_WORDS[i]} in
      --) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
      +) begins=1 first= ;;
      *) ((begins)) && stage=${COMP_WORDS[i]} begins=0 ;;
    esac
  done
  # bash splits --name=value at the sign.
  if [[ $cur == '=' ]]; then
    cur=
  elif [[ $prev == '=' ]] && ((COMP_CWORD > 1)); then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((begins)); then
    if [[ $cur == @* ]]; then
      mapfile -t COMPREPLY < <(compgen -P @ -f -- "${cur#@}")
    elif [[ $first ]]; then
      mapfile -t COMPREPLY < <(compgen -W ')" +
         names(all, false) + R"( --help --version' -- "$cur")
    else
      mapfile -t COMPREPLY < <(compgen -W ')" +
         names(all, true) + R"(' -- "$cur")
    fi
    return
  fi
  if _cuimg_value; then
    [[ $values ]] && mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur")
    [[ $files ]] && mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    return
  fi
  case $stage in
)" + option_cases(all) +
         R"(    *) files=1 ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  elif [[ $files ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$cur")
  fi
}
complete -o filenames -F _cuimg cuimg
)";
}

// For _describe: "name:description", with escaped colons.
std::string described(const std::string& name, const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return single_quoted(name + ":" + escaped);
}

std::string zsh_script(const std::vector<Subject>& all) {
  std::string options, first, later;
  for (const Subject& s : all) {
    options += "    " + s.description->name + ") options=(";
    for (const Parameter* p : parameters_of(s))
      for (const std::string& spelling : spellings(*p))
        options += "\n      " + described(spelling, p->help);
    options += ")";
    if (!s.takes_files)
      options +=
          fmt::format("\n      takes_files=0 operands=({})", fmt::join(s.operand_words, " "));
    options += " ;;\n";
    const std::string line = "\n      " + described(s.description->name, s.description->summary);
    first += line;
    if (s.is_stage) later += line;
  }
  return R"(#compdef cuimg
# zsh completion for cuimg: keep it as _cuimg in a folder of $fpath
_cuimg_value() {
  case "$stage $words[CURRENT-1]" in
)" + value_cases(all) +
         R"(  esac
  return 1
}

_cuimg() {
  local stage= first=1 begins=1 takes_files=1 values= files= i
  local -a options operands
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      --) _files; return ;;
      +) begins=1 first= ;;
      *) ((begins)) && stage=$words[i] begins=0 ;;
    esac
  done
  if ((begins)); then
    if [[ $PREFIX == @* ]]; then
      compset -P @
      _files
    elif [[ -n $first ]]; then
      options=()" +
         first + R"()
      _describe 'stage or command' options
    else
      options=()" +
         later + R"()
      _describe 'stage' options
    fi
    return
  fi
  if _cuimg_value; then
    if [[ -n $files ]]; then _files; else compadd -- ${=values}; fi
    return
  fi
  case $stage in
)" + options +
         R"(  esac
  if [[ $PREFIX == -* ]]; then
    _describe 'option' options
  elif ((takes_files)); then
    _files
  else
    compadd -- $operands
  fi
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _cuimg "$@"
else
  compdef _cuimg cuimg
fi
)";
}

std::string fish_script(const std::vector<Subject>& all) {
  std::string text =
      R"(# fish completion for cuimg: keep it as ~/.config/fish/completions/cuimg.fish
function __cuimg_stage
    # The stage of the segment that the cursor is in.
    set -l stage
    set -l begins 1
    for word in (commandline -opc)[2..-1]
        if test "$word" = +
            set begins 1
            set stage
        else if test $begins = 1
            set stage $word
            set begins 0
        end
    end
    printf '%s' "$stage"
end
function __cuimg_in
    set -l stage (__cuimg_stage)
    test "$stage" = $argv[1]
end
function __cuimg_begins
    set -l stage (__cuimg_stage)
    test -z "$stage"
end
function __cuimg_first
    test (count (commandline -opc)) -le 1
end
function __cuimg_recipes
    # @FILE
    set -l word (commandline -ct)
    string match -q -- '@*' $word; or return
    __fish_complete_path (string sub -s 2 -- $word) | string replace -r '^' @
end
complete -c cuimg -n __cuimg_begins -f -a '(__cuimg_recipes)'
complete -c cuimg -n __cuimg_first -l help -d 'print help'
complete -c cuimg -n __cuimg_first -l version -d 'print the version'
)";
  for (const Subject& s : all) {
    const std::string& name = s.description->name;
    text += fmt::format("complete -c cuimg -n {} -a {} -d {}\n",
                        s.is_stage ? "__cuimg_begins" : "__cuimg_first", name,
                        single_quoted(s.description->summary));
    const std::string condition = single_quoted("__cuimg_in " + name);
    for (const Parameter* p : parameters_of(s)) {
      text += fmt::format("complete -c cuimg -n {} -l {}", condition, p->name);
      if (p->short_name != 0) text += fmt::format(" -s {}", p->short_name);
      if (!p->is_flag) text += p->is_file ? " -r -F" : " -x";
      if (!values(*p).empty()) text += " -a " + quoted_list(values(*p));
      text += " -d " + single_quoted(p->help) + "\n";
      if (p->negatable())
        text += fmt::format("complete -c cuimg -n {} -l no-{} -d {}\n", condition, p->name,
                            single_quoted("not: " + p->help));
    }
    if (s.takes_files) continue;
    text += fmt::format("complete -c cuimg -n {} -f", condition);
    if (!s.operand_words.empty()) text += " -a " + quoted_list(s.operand_words);
    text += "\n";
  }
  return text;
}

struct Shell {
  const char* name;
  std::string (*script)(const std::vector<Subject>& all);
};
constexpr Shell shells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

std::vector<std::string> completion_shells() {
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  return names;
}

std::string completion_script(const Program& program, const std::string& name) {
  for (const Shell& shell : shells)
    if (name == shell.name) return shell.script(subjects(program));
  throw Error("completions", name + " is unknown",
              fmt::format("use one of {}", fmt::join(completion_shells(), ", ")));
}

}  // namespace cuimg

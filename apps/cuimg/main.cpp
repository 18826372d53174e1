// SPDX-License-Identifier: Apache-2.0
// The program: runs a command or a pipeline, and turns every error into one line and exit code 2.
#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/instruction_set.h"
#include "commands.h"
#include "device/card_session.h"
#include "image/pixel_reuse.h"
#include "io/lost_pages.h"
#include "io/quiet_libraries.h"
#include "io/signals.h"
#include "io/temporaries.h"
#include "pipeline/batch/jobs.h"
#include "pipeline/familiar_names.h"
#include "pipeline/grammar.h"
#include "pipeline/parse_options.h"
#include "pipeline/segments.h"

namespace cuimg {
namespace {

using Words = std::vector<std::string>;

const Command* find_command(const std::string& name) {
  for (const Command& command : program().commands)
    if (command.description.name == name) return &command;
  return nullptr;
}

// The stage or command whose --help is requested, or nothing. "" is the program's own.
std::optional<std::string> help_topic(std::span<const std::string> words) {
  std::string topic;
  bool begins_segment = true;
  for (const std::string& word : split_at_dashes(words).first) {
    if (word == "--help" || word == "-h") return topic;
    if (begins_segment) topic = word.starts_with('@') || word.starts_with('-') ? "" : word;
    begins_segment = word == "+";
  }
  return std::nullopt;
}

int run_command(const Command& command, std::span<const std::string> words) {
  const std::shared_ptr<void> values = command.description.make();
  CommonOptions common;
  const OptionTarget targets[] = {{&command.description, values.get()},
                                  {&common_options(), &common, command.common}};
  const Words operands = parse_options(command.description.name, targets, words);
  check_common(common);
  return command.run(values.get(), operands, common);
}

void check_first_word(const std::string& word) {
  if (word.starts_with('@') || word.starts_with('-') || word == "+" || find_stage(word) != nullptr)
    return;
  for (const PlainSegment& segment : plain_segments())
    if (word == segment.description().name) return;
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored))
    throw Error(word, "it is a file, but a stage or command is expected here",
                "use cuimg convert INPUT OUTPUT");
  throw Error(word.empty() ? "''" : word, "unknown stage or command",
              advice_on_name(word, topics(program()), "see cuimg --help"));
}

void check_no_command_in_chain(std::span<const std::string> words) {
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i - 1] == "+" && find_command(words[i]) != nullptr)
      throw Error(words[i], "it is a command, but a stage is expected here",
                  "run it alone, on the chain's output");
}

int run_program(const Words& words) {
  instruction_set();  // A wrong CUIMG_CPU is an error here, before any work.
  if (words.empty()) {
    std::fputs(usage_text(program()).c_str(), stderr);
    return 2;
  }
  if (const auto topic = help_topic(words)) {
    print(topic->empty() ? overview_text(program()) : topic_text(program(), *topic));
    return 0;
  }
  const std::span<const std::string> rest = std::span(words).subspan(1);
  if (words.front() == "--version") return run_command(*find_command("version"), rest);
  if (const Command* command = find_command(words.front())) return run_command(*command, rest);
  check_first_word(words.front());
  check_no_command_in_chain(split_at_dashes(words).first);
  return run_invocation(parse_pipeline(words), run_image);
}

int complain(const std::string& what) {
  std::fputs(("cuimg: " + what + "\n").c_str(), stderr);
  return 2;
}

int run_caught(const Words& words) {
  try {
    return run_program(words);
  } catch (const Error& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(printable(error.what()));
  }
}

// The output is only complete after fflush(). If the pipe's reader has closed it (`| head`), exit
// with 2 and print nothing.
int flush_output(int code) {
  const bool failed = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fflush(stdout) == 0 && !failed) return code;
  const int error = print_error() != 0 ? print_error() : errno;
  if (error == EPIPE) return 2;
  return complain(std::string("standard output: ") +
                  (error == 0 ? "it could not be written" : std::strerror(error)));
}

// A closed standard descriptor would be reused for the next file that is opened, and printed text
// would be written into an image. It is replaced by one on which every use in its direction fails.
void hold_standard_descriptors() {
  for (const int fd : {0, 1, 2})
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return;
}

// Each image in progress has some files open, more with tees. Shells limit them to 1024 where the
// system allows far more.
void allow_many_files() {
  rlimit limit;
  constexpr rlim_t enough = 65536;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= enough) return;
  limit.rlim_cur = std::min(enough, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
}

// An exception on a library's thread reaches no handler of ours: oneTBB's threads throw if they
// cannot start others.
[[noreturn]] void end_by_exception() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::exception& error) {
    remove_temporaries();
    std::_Exit(complain(printable(error.what())));
  } catch (...) {
  }
  std::abort();
}

// Creating a context takes about a second, or some seconds if the driver must be loaded. If it
// takes longer, it will hardly succeed.
constexpr std::chrono::seconds patience_with_a_driver{5};

}  // namespace
}  // namespace cuimg

int main(int argc, char** argv) {
  // A shared library built with -ffast-math makes denormals 0 in the whole process. Threads that
  // are started from here on inherit these settings.
  const cuimg::FloatEnvironment environment;
  cuimg::hold_standard_descriptors();
  // Then a closed pipe is an error of write(), which cleans up, instead of the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // the same for a file that exceeds `ulimit -f`
  cuimg::remove_temporaries_on_signals();
  std::set_terminate(cuimg::end_by_exception);
  cuimg::allow_many_files();
  cuimg::survive_lost_pages();
  cuimg::quieten_libtiff();
  const cuimg::Words words(argv + std::min(argc, 1), argv + argc);
  // Memory that is kept for other images is freed with the process, since freeing pinned memory
  // takes long.
  const cuimg::PixelReuse reuse;
  cuimg::CardSession cards;
  const int code = cuimg::flush_output(cuimg::run_caught(words));
  // The signal must end the process, so that a shell's loop around the command notices it.
  if (cuimg::was_interrupted()) std::raise(SIGINT);
  // Interrupting a context's creation may disturb other processes on a shared card (CUDA's
  // multi-process service), so it is waited for: everything has been printed and written by now.
  // Cards in use, and a driver that does not respond, are left to the kernel, without the exit
  // handlers, which would take a tenth of a second or wait.
  if (!cards.end(cuimg::patience_with_a_driver)) std::quick_exit(code);
  return code;
}

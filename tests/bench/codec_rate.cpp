// SPDX-License-Identifier: Apache-2.0
// The cost of decoding and encoding alone: `codec_rate [--coefficients | --whole] FOLDER RESULT
// FILES...` decodes every file, and for each file encodes RESULT's picture again into FOLDER, on
// all cores, with one file per thread at a time. JPEGs go through libjpeg-turbo's own interface
// (TurboJPEG, 4:2:0, its accurate DCT, quality 90), other formats through cuimg's codecs. With
// --coefficients JPEGs are not decoded to pixels: their coefficients are read and written. With
// --whole files are processed one after the other, each by cuimg's codecs with all cores: the least
// time that one command needs. Prints the seconds as a line of JSON.
#include <fmt/format.h>
#include <turbojpeg.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/threads.h"
#include "image/pixel_reuse.h"
#include "io/codec.h"
#include "io/output_file.h"

namespace {

using Bytes = std::vector<unsigned char>;

struct Pixels {
  int width = 0, height = 0;
  Bytes rgb;
};

// Reads and writes files and reuses buffers from one file to the next, as a program's thread would.
class FileWorker {
 public:
  virtual ~FileWorker() = default;
  virtual void decode(const std::string& path) = 0;
  virtual void encode(const std::string& path) = 0;
};

class TurboJpeg final : public FileWorker {
 public:
  explicit TurboJpeg(const std::string& result) {
    decode(result);
    std::swap(result_, pixels_);
  }
  ~TurboJpeg() override {
    tjDestroy(decompressor_);
    tjDestroy(compressor_);
    tjFree(encoded_);
  }
  TurboJpeg(const TurboJpeg&) = delete;
  TurboJpeg& operator=(const TurboJpeg&) = delete;

  void decode(const std::string& path) override {
    std::ifstream file(path, std::ios::binary);
    file_.assign(std::istreambuf_iterator<char>(file), {});
    int subsampling = 0, space = 0;
    check(tjDecompressHeader3(decompressor_, file_.data(), file_.size(), &pixels_.width,
                              &pixels_.height, &subsampling, &space),
          path);
    const auto bytes =
        static_cast<std::size_t>(pixels_.width) * 3 * static_cast<std::size_t>(pixels_.height);
    pixels_.rgb.resize(bytes);
    check(tjDecompress2(decompressor_, file_.data(), file_.size(), pixels_.rgb.data(),
                        pixels_.width, 0, pixels_.height, TJPF_RGB, TJFLAG_ACCURATEDCT),
          path);
  }
  void encode(const std::string& path) override {
    check(tjCompress2(compressor_, result_.rgb.data(), result_.width, 0, result_.height, TJPF_RGB,
                      &encoded_, &encoded_bytes_, TJSAMP_420, 90, TJFLAG_ACCURATEDCT),
          path);
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(encoded_),
               static_cast<std::streamsize>(encoded_bytes_));
  }

 private:
  static void check(int code, const std::string& path) {
    if (code != 0) throw cuimg::Error(path, tjGetErrorStr());
  }

  const tjhandle decompressor_ = tjInitDecompress(), compressor_ = tjInitCompress();
  Bytes file_;
  Pixels pixels_, result_;
  unsigned char* encoded_ = nullptr;
  unsigned long encoded_bytes_ = 0;
};

class OwnCodec final : public FileWorker {
 public:
  OwnCodec(const std::string& result, int threads)
      : codec_(cuimg::codec_for_output(result, "")),
        result_(cuimg::read_image(result)),
        threads_(threads) {}
  void decode(const std::string& path) override {
    cuimg::DecodeOptions options;
    options.threads = threads_;
    (void)cuimg::read_image(path, options);
  }
  void encode(const std::string& path) override {
    cuimg::EncodeOptions options;
    options.threads = threads_;
    cuimg::write_image(path, result_, codec_, options);
  }

 private:
  const cuimg::Codec& codec_;
  const cuimg::Image result_;
  const int threads_;
};

// Only entropy decoding and encoding, which the host does even with a card. RESULT must have been
// written by cuimg.
class Coefficients final : public FileWorker {
 public:
  explicit Coefficients(const std::string& result)
      : codec_(cuimg::codec_for_output(result, "")),
        decoder_(open(result)),
        result_(read(*decoder_)) {}
  void decode(const std::string& path) override { (void)read(*open(path)); }
  void encode(const std::string& path) override {
    cuimg::OutputFile file(path);
    const auto encoder = codec_.encoder({{decoder_->spec(), {}}}, file.sink());
    encoder->write_blocks(result_);
    encoder->finish();
    file.commit();
  }

 private:
  static std::unique_ptr<cuimg::Decoder> open(const std::string& path) {
    return cuimg::open_image(cuimg::ByteSource::open(path), {});
  }
  static cuimg::DctImage read(cuimg::Decoder& decoder) {
    auto blocks = decoder.read_blocks();
    if (!blocks) throw cuimg::Error("codec_rate", "a file has no blocks that a card could read");
    return *std::move(blocks);
  }

  const cuimg::Codec& codec_;
  const std::unique_ptr<cuimg::Decoder> decoder_;
  cuimg::DctImage result_;
};

enum class Way : std::uint8_t { pixels, coefficients, whole };

std::unique_ptr<FileWorker> make_worker(const std::string& result, Way way) {
  if (way == Way::coefficients) return std::make_unique<Coefficients>(result);
  if (way == Way::whole) return std::make_unique<OwnCodec>(result, cuimg::hardware_threads());
  if (result.ends_with(".jpg")) return std::make_unique<TurboJpeg>(result);
  return std::make_unique<OwnCodec>(result, 1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string option = argc > 1 ? argv[1] : "";
  const Way way = option == "--coefficients" ? Way::coefficients
                  : option == "--whole"      ? Way::whole
                                             : Way::pixels;
  argv += way == Way::pixels ? 0 : 1;
  argc -= way == Way::pixels ? 0 : 1;
  if (argc < 4) {
    std::fputs("usage: codec_rate [--coefficients | --whole] FOLDER RESULT FILES...\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const std::string result = argv[2];
  const std::vector<std::string> files(argv + 3, argv + argc);
  const cuimg::PixelReuse reuse;
  std::filesystem::create_directories(folder);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    try {
      const std::unique_ptr<FileWorker> worker = make_worker(result, way);
      for (std::size_t i = next++; i < files.size(); i = next++) {
        worker->decode(files[i]);
        worker->encode(folder / std::filesystem::path(files[i]).filename());
      }
    } catch (const std::exception& error) {
      std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
      failed = true;
    }
  };
  const auto begin = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> others;
    const int files_at_once = way == Way::whole ? 1 : cuimg::hardware_threads();
    for (int i = 1; i < files_at_once; ++i) others.emplace_back(work);
    work();
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::puts(fmt::format("{{\"files\": {}, \"seconds\": {:.4f}}}", files.size(), seconds).c_str());
  return failed ? 2 : 0;
}

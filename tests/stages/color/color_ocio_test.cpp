// SPDX-License-Identifier: Apache-2.0
// Transfer curves and primaries compared with OpenColorIO, where its Python module is installed.
#include <cmath>

#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// Applies the transforms of a list to rows of float32 R, G, B.
const std::string apply_script = R"(
import array, sys
import PyOpenColorIO as ocio
expression, source, target = sys.argv[1:]
values = array.array('f', open(source, 'rb').read())
group = ocio.GroupTransform(eval(expression))
processor = ocio.Config.CreateRaw().getProcessor(group)
made = processor.getOptimizedCPUProcessor(ocio.OPTIMIZATION_NONE).applyRGB(values.tolist())
open(target, 'wb').write(array.array('f', made).tobytes())
)";

// Three channels of light, evenly spaced in stops from `darkest` to `brightest`.
Image light_between(float darkest, float brightest) {
  const float stops = std::log2(brightest / darkest);
  std::mt19937 random(5);
  return image_of(spec_of({0, 0, 64, 40}, PixelType::f32, 3), [&](int, int, int, int) {
    return darkest * std::exp2(stops * static_cast<float>(random() >> 8) * 0x1p-24f);
  });
}

// The largest error, relative to values of at least `least`.
double distance_to_ocio(const std::string& words, const std::string& transforms,
                        const Image& source, double least = 0.01) {
  const TempDir folder;
  const std::size_t bytes = source.row_bytes(0) * 40;
  folder.write("in", std::string(reinterpret_cast<const char*>(source.row(0, 0)), bytes));
  const Outcome outcome =
      run({"python3", "-c", apply_script, transforms, folder / "in", folder / "out"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const std::string theirs = read_file(folder / "out");
  EXPECT_EQ(theirs.size(), bytes);
  if (theirs.size() != bytes) return 1;
  const Image ours = run_chain(words, source);
  double largest = 0;
  for (std::size_t i = 0; i < bytes / sizeof(float); ++i) {
    float a, b;
    std::memcpy(&a, ours.row(0, 0) + i * sizeof(float), sizeof a);
    std::memcpy(&b, theirs.data() + i * sizeof(float), sizeof b);
    const double error = std::fabs(static_cast<double>(a) - static_cast<double>(b)) /
                         std::max(least, std::fabs(static_cast<double>(b)));
    largest = std::max(largest, error == error ? error : 1);
  }
  return largest;
}

bool has_ocio() { return run({"python3", "-c", "import PyOpenColorIO"}).exit == 0; }

struct Curve {
  const char* name;
  const char* decodes;  ///< OpenColorIO's transform from values to light.
  float darkest, brightest;
  double tolerance;
};

TEST(ColorOcio, TransferCurvesAreOpenColorIos) {
  if (!has_ocio()) GTEST_SKIP() << "python3 has no PyOpenColorIO";
  const Curve curves[] = {
      // OpenColorIO moves sRGB's knee so that the pieces have equal slopes there; above it both are
      // the same.
      {"srgb",
       "ocio.ExponentWithLinearTransform(gamma=[2.4,2.4,2.4,1],offset=[0.055,0.055,0.055,0]"
       ",direction=D)",
       0.005f, 30, 1e-6},
      {"rec709",
       "ocio.ExponentWithLinearTransform(gamma=[1/0.45]*3+[1],offset=[0.09929682680944]*3+[0]"
       ",direction=D)",
       0.001f, 30, 1e-6},
      // OpenColorIO uses tables of half floats for these two.
      {"pq", "ocio.BuiltinTransform('CURVE - ST-2084_to_LINEAR',D)", 0.001f, 99, 1e-4},
      {"acescct", "ocio.BuiltinTransform('CURVE - ACEScct-LOG_to_LINEAR',D)", 0.0005f, 200, 1e-5},
      {"logc3",
       "ocio.LogCameraTransform(base=10,logSideSlope=[0.247190]*3,logSideOffset=[0.385537]*3,"
       "linSideSlope=[5.555556]*3,linSideOffset=[0.052272]*3,linSideBreak=[0.010591]*3,"
       "linearSlope=[5.367655]*3,direction=I)",
       0.0005f, 50, 1e-5},
      {"slog3",
       "ocio.LogCameraTransform(base=10,logSideSlope=[261.5/1023]*3,logSideOffset=[420/1023]*3,"
       "linSideSlope=[1/0.19]*3,linSideOffset=[0.01/0.19]*3,linSideBreak=[0.01125]*3,"
       "linearSlope=[(171.2102946929-95)/(0.01125*1023)]*3,direction=I)",
       0.0005f, 38, 1e-5},
      {"logc4",
       "ocio.LogCameraTransform(base=2,logSideSlope=[928/1023/14]*3,"
       "logSideOffset=[95/1023-6*928/1023/14]*3,linSideSlope=[262128/117.45]*3,"
       "linSideOffset=[64]*3,linSideBreak=[-0.018056996119911309]*3,"
       "linearSlope=[1/0.11359720861058909]*3,direction=I)",
       0.0005f, 400, 1e-5},
      {"vlog",
       "ocio.LogCameraTransform(base=10,logSideSlope=[0.241514]*3,logSideOffset=[0.598206]*3,"
       "linSideSlope=[1]*3,linSideOffset=[0.00873]*3,linSideBreak=[0.01]*3,"
       "linearSlope=[5.6]*3,direction=I)",
       0.0005f, 46, 1e-5},
      // OpenColorIO uses tables of half floats for these, too.
      {"clog2", "ocio.BuiltinTransform('CURVE - CANON_CLOG2_to_LINEAR',D)", 0.0005f, 50, 2e-4},
      {"clog3", "ocio.BuiltinTransform('CURVE - CANON_CLOG3_to_LINEAR',D)", 0.0005f, 10, 2e-4},
  };
  for (const Curve& c : curves) {
    const auto directed = [&](const char* forward, const char* inverse) {
      std::string text = c.decodes;
      for (const auto& [from, to] : {std::pair("D)", forward), std::pair("=I)", inverse)})
        if (const std::size_t at = text.rfind(from); at != std::string::npos)
          text.replace(at, std::string(from).size(), to);
      return "[" + text + "]";
    };
    const Image light = light_between(c.darkest, c.brightest);
    const std::string curve = std::string(" --curve ") + c.name;
    const Image values = run_chain("encode" + curve, light);
    EXPECT_LT(distance_to_ocio(
                  "encode" + curve,
                  directed("ocio.TRANSFORM_DIR_INVERSE)", "=ocio.TRANSFORM_DIR_FORWARD)"), light),
              c.tolerance)
        << c.name;
    Image read(light.spec());
    for (int y = 0; y < 40; ++y) std::memcpy(read.row(0, y), values.row(0, y), values.row_bytes(0));
    EXPECT_LT(distance_to_ocio(
                  "decode" + curve,
                  directed("ocio.TRANSFORM_DIR_FORWARD)", "=ocio.TRANSFORM_DIR_INVERSE)"), read),
              c.tolerance)
        << c.name;
  }
}

TEST(ColorOcio, HlgIsOpenColorIosForAThirdOfItsLight) {
  if (!has_ocio()) GTEST_SKIP() << "python3 has no PyOpenColorIO";
  // OpenColorIO scales light by BT.2100's older convention, with white at 3.
  EXPECT_LT(
      distance_to_ocio("gain --value 0.33333333 + encode --curve hlg",
                       "[ocio.BuiltinTransform('CURVE - HLG-OETF')]", light_between(1e-3f, 3)),
      1e-4);
}

TEST(ColorOcio, PrimariesAreOpenColorIos) {
  if (!has_ocio()) GTEST_SKIP() << "python3 has no PyOpenColorIO";
  const Image light = light_between(0.01f, 1);
  EXPECT_LT(distance_to_ocio("primaries --from ap1 --to rec709",
                             "[ocio.BuiltinTransform('UTILITY - ACES-AP1_to_LINEAR-REC709_BFD')]",
                             light, 1),
            1e-6);
  EXPECT_LT(distance_to_ocio("primaries --from ap0 --to ap1",
                             "[ocio.BuiltinTransform('UTILITY - ACES-AP0_to_CIE-XYZ-D65_BFD'),"
                             "ocio.BuiltinTransform('UTILITY - ACES-AP1_to_CIE-XYZ-D65_BFD',"
                             "ocio.TRANSFORM_DIR_INVERSE)]",
                             light, 1),
            1e-6);
}

TEST(ColorOcio, CdlIsOpenColorIosWithoutItsLimits) {
  if (!has_ocio()) GTEST_SKIP() << "python3 has no PyOpenColorIO";
  // OpenColorIO's powers are approximate.
  EXPECT_LT(distance_to_ocio("cdl --no-clamp --slope 1.2,1,0.8 --offset 0.03,0.02,0.1 "
                             "--power 0.9,1.3,1 --saturation 1.4",
                             "[ocio.CDLTransform(slope=[1.2,1,0.8],offset=[0.03,0.02,0.1],"
                             "power=[0.9,1.3,1],sat=1.4)]",
                             light_between(0.001f, 2), 0.1),
            1e-4);
}

}  // namespace
}  // namespace cuimg::test

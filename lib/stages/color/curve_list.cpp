// SPDX-License-Identifier: Apache-2.0
// The list of transfer curves. To add one, add a line, and the numbers if its maker gives a
// formula.
#include "stages/color/curve_list.h"

#include "stages/color/line_through.h"

namespace cuimg {
namespace {

constexpr double log10_of_2 = 0.30102999566398120;
constexpr double ln_2 = 0.69314718055994531;

// a * log10(gain * x + lift) + offset, as most makers print it.
constexpr LogCurve with_log10(double gain, double lift, double a, double offset, double slope,
                              double base, double cut) {
  return {gain, lift, a * log10_of_2, offset, slope, base, cut};
}

// Academy S-2016-001. The standard limits decoded values to 65504; here the output's type does
// that.
constexpr LogCurve acescct{
    1.0, 0.0, 1 / 17.52, 9.72 / 17.52, 10.5402377416545, 0.0729055341958355, 0.0078125};

// ARRI, "ALEXA Log C Curve - Usage in VFX" (2017), LogC3 at EI 800, from exposure values.
constexpr LogCurve logc3 =
    with_log10(5.555556, 0.052272, 0.247190, 0.385537, 5.367655, 0.092809, 0.010591);

// ARRI, "LogC4 Logarithmic Color Space Specification" (2022): a = (2^18 - 16) / 117.45,
// b = (1023 - 95) / 1023, c = 95 / 1023, s = 7 ln(2) 2^(7 - 14 c / b) / (a b) and
// t = (2^(6 - 14 c / b) - 64) / a; the line is (x - t) / s, which is 0 at t.
constexpr double logc4_b = 928.0 / 1023, logc4_c = 95.0 / 1023;
constexpr double logc4_s = 0.11359720861058909, logc4_t = -0.018056996119911309;
constexpr LogCurve logc4{
    262128 / 117.45,    64,     logc4_b / 14, logc4_c - 6 * logc4_b / 14, 1 / logc4_s,
    -logc4_t / logc4_s, logc4_t};

// Sony, "Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3" (2014).
constexpr LogCurve slog3 =
    with_log10(1 / 0.19, 0.01 / 0.19, 261.5 / 1023, 420.0 / 1023,
               (171.2102946929 - 95.0) / (0.01125 * 1023), 95.0 / 1023, 0.01125);

// Panasonic, "VARICAM V-Log/V-Gamut" (2014).
constexpr LogCurve vlog = with_log10(1, 0.00873, 0.241514, 0.598206, 5.6, 0.125, 0.01);

// Canon, "Canon Log Gamma Curves" (2018), for full-range values; its x is reflectance / 0.9. Both
// curves are odd about the code of black, 95 and 128 of 1023.
constexpr double canon_x = 1 / 0.9;
constexpr MirroredLog clog2{with_log10(87.09937546 * canon_x, 1, 0.24136077, 0, 1, 0, -1),
                            0.092864125};
constexpr MirroredLog clog3{with_log10(14.98325 * canon_x, 1, 0.36726845, 0.12240537 - 0.12512219,
                                       1.9754798 * canon_x, 0, 0.014 * 0.9),
                            0.12512219};

// RED, "White Paper on REDWideGamutRGB and Log3G10" (2017): of x + 0.01, a line below 0.
constexpr LogCurve log3g10 =
    with_log10(155.975327, 1 + 0.01 * 155.975327, 0.224282, 0, 15.1927, 0.01 * 15.1927, -0.01);

// Blackmagic Design, "DaVinci Resolve 17 Wide Gamut Intermediate" (2020).
constexpr LogCurve davinci{1, 0.0075, 0.07329248, 7 * 0.07329248, 10.44426855, 0, 0.00262409};

// Blackmagic Design, "Blackmagic Generation 5 Color Science Technical Reference" (2021).
constexpr LogCurve bmdfilm5{1,
                            0.005494072432257808,
                            0.08692876065491224 * ln_2,
                            0.5300133392291939,
                            8.283605932402494,
                            0.09246575342465753,
                            0.005};

// Fujifilm, "F-Log Data Sheet" 1.1 (2018) and "F-Log2 Data Sheet" 1.0 (2022). The pieces do not
// quite meet; both documents say where decoding changes from one to the other.
constexpr LogCurve flog{0.555556, 0.009468, 0.344676 * log10_of_2, 0.790453, 8.735631,
                        0.092864, 0.00089,  0.100537775223865};
constexpr LogCurve flog2{5.555556, 0.064829, 0.245281 * log10_of_2, 0.384316, 8.799461,
                         0.092864, 0.000889, 0.100686685370811};

// DJI, "White Paper on D-Log and D-Gamut of DJI Cinema Color System" (2017).
constexpr LogCurve dlog = with_log10(0.9892, 0.0108, 0.256663, 0.584555, 6.025, 0.0929, 0.0078);

// Kodak, "Grayscale Transformations of Cineon Digital Film Data" (1993): a density of 0.002 per
// code at a gamma of 0.6 gives 300 codes per decade; black is code 95 and white code 685 of 1023.
// Below black, where the formula soon becomes undefined, its tangent is used, with the slope 300 /
// 1023 / ln(10) * (1 - k) / k.
constexpr double cineon_k = 0.010797751623277097;  // 10^((95 - 685) / 300)
constexpr LogCurve cineon = with_log10(1 - cineon_k, cineon_k, 300.0 / 1023, 685.0 / 1023,
                                       11.667604351746638, 95.0 / 1023, 0);

constexpr Transfer power(float gamma) { return {TransferCurve::gamma, gamma}; }

constexpr NamedCurve curves[] = {
    {"srgb", "IEC 61966-2-1", "", Transfer{TransferCurve::srgb}, CurveCode::srgb},
    {"rec709", "ITU-R BT.709-6, with BT.2020's exact constants", "bt709 rec2020",
     Transfer{TransferCurve::rec709}, CurveCode::rec709},
    {"pq", "SMPTE ST 2084; light 1 is 100 cd/m^2, limited to 0 to 100", "st2084",
     Transfer{TransferCurve::pq}, CurveCode::pq},
    {"hlg", "ITU-R BT.2100-2, scene light 0 to 1", "", Transfer{TransferCurve::hlg},
     CurveCode::hlg},
    {"gamma1.8", "the power 1.8", "g18", power(1.8f), CurveCode::power},
    {"gamma2.2", "the power 2.2", "g22", power(2.2f), CurveCode::power},
    {"gamma2.4", "the power 2.4, BT.1886's of a black that is 0", "g24 bt1886", power(2.4f),
     CurveCode::power},
    {"gamma2.6", "the power 2.6, of digital cinema", "g26", power(2.6f), CurveCode::power},
    {"acescct", "Academy S-2016-001; primaries stay", "", acescct},
    {"cineon", "Kodak Cineon, black 95, white 685", "", cineon},
    {"logc3", "ARRI LogC3 at EI 800", "logc", logc3},
    {"logc4", "ARRI LogC4", "", logc4},
    {"slog3", "Sony S-Log3", "s-log3", slog3},
    {"vlog", "Panasonic V-Log", "v-log", vlog},
    {"clog2", "Canon Log 2", "canonlog2", clog2},
    {"clog3", "Canon Log 3", "canonlog3", clog3},
    {"log3g10", "RED Log3G10", "", log3g10},
    {"davinci", "DaVinci Intermediate", "davinci-intermediate", davinci},
    {"bmdfilm5", "Blackmagic Film Gen 5", "blackmagic-film-gen5", bmdfilm5},
    {"flog", "Fujifilm F-Log", "f-log", flog},
    {"flog2", "Fujifilm F-Log2", "f-log2", flog2},
    {"dlog", "DJI D-Log", "d-log", dlog},
};

// The line that shifts `from` to `to`.
Line moved(double from, double to, std::uint8_t channels) {
  return line_of(channels, [&](int) -> LineThrough { return {from, 1, to}; });
}

}  // namespace

std::span<const NamedCurve> named_curves() { return curves; }

std::span<const Choice<CurveNumber>> choices_of(CurveNumber) {
  static const std::vector<Choice<CurveNumber>> choices = [] {
    std::vector<Choice<CurveNumber>> all;
    for (const NamedCurve& curve : curves)
      all.push_back({static_cast<CurveNumber>(all.size()), curve.name, curve.help, curve.aliases});
    return all;
  }();
  return choices;
}

const NamedCurve& curve_of(CurveNumber number) { return curves[static_cast<std::size_t>(number)]; }

std::vector<PixelOp> encoding_ops(const NamedCurve& curve, std::uint8_t channels) {
  if (const auto* log = std::get_if<LogCurve>(&curve.form)) return {LogEncode(*log, channels)};
  if (const auto* log = std::get_if<MirroredLog>(&curve.form))
    return {LogEncode(log->curve, channels, true), moved(0, log->base, channels)};
  return {encoding_curve(std::get<Transfer>(curve.form), channels).value()};
}

std::vector<PixelOp> decoding_ops(const NamedCurve& curve, std::uint8_t channels) {
  if (const auto* log = std::get_if<LogCurve>(&curve.form)) return {LogDecode(*log, channels)};
  if (const auto* log = std::get_if<MirroredLog>(&curve.form))
    return {moved(log->base, 0, channels), LogDecode(log->curve, channels, true)};
  return {decoding_curve(std::get<Transfer>(curve.form), channels).value()};
}

}  // namespace cuimg

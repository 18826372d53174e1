// SPDX-License-Identifier: Apache-2.0
// Views of frames for kernels that compute with floats, in any stored form.
#pragma once

#include "device/cuda/cuda_queue.h"
#include "stages/pass/stored_rows.cuh"
#include "stages/pass/stored_target.cuh"

namespace cuimg {

/// Whether a target's memory is an array, in which sectors are two rows high.
template <class Target>
constexpr bool is_in_array = false;
template <int N>
constexpr bool is_in_array<PixelTarget<N, ArrayMemory>> = true;

/// The kind of a frame's stored form; `any` for floats, and for arrays, whose readers need light.
inline FormKind kind_of(const Frame& frame) {
  return frame.stored_form() == nullptr || frame.card().is_array() ? FormKind::any
                                                                   : frame.stored_form()->kind();
}

template <int N, FormKind kind = FormKind::any>
FormRows<N, kind> form_rows(CudaQueue& card, const Frame& frame) {
  if (frame.empty()) return {};
  const Rect& r = frame.region();
  const Frame stored = frame.as_stored();
  FormRows<N, kind> rows{static_cast<const char*>(frame.card().data()),
                         frame.card().pitch_bytes(),
                         r.x,
                         r.y,
                         r.width,
                         r.height,
                         static_cast<int>(stored.format().pixel_bytes()),
                         {},
                         nullptr};
  if (frame.stored_form() != nullptr) rows.form = frame.stored_form()->on(card);
  return rows;
}

/// @tparam kind `any` is any stored form in any memory, including floats.
template <int N, FormKind kind = FormKind::any>
FormTarget<N, kind> form_target(CudaQueue& card, const Frame& frame) {
  const Rect& r = frame.region();
  const Frame stored = frame.as_stored();
  using Target = FormTarget<N, kind>;
  Target target{Target::memory_of(frame.card().any_memory()),    r.x, r.y,    r.width, r.height,
                static_cast<int>(stored.format().pixel_bytes()), {},  nullptr};
  if (frame.stored_form() == nullptr) return target;
  target.form = frame.stored_form()->on(card);
  target.codes8 = target.form.codes8;
  return target;
}

/// Calls use(std::integral_constant<FormKind, ...>()) with the kind, of N channels.
template <int N, class Use>
void with_kind(FormKind kind, const Use& use) {
  if constexpr (N == 4) {
    switch (kind) {
      case FormKind::srgb8:
        return use(std::integral_constant<FormKind, FormKind::srgb8>());
      case FormKind::srgb16:
        return use(std::integral_constant<FormKind, FormKind::srgb16>());
      case FormKind::half:
        return use(std::integral_constant<FormKind, FormKind::half>());
      case FormKind::any:
        break;
    }
  }
  use(std::integral_constant<FormKind, FormKind::any>());
}

/// Calls use(rows, target) with the views of two frames, of which at least one is read as floats:
/// for one kind of form if both have it, otherwise for any. @tparam by_kind false for kernels that
/// are rarely used.
template <int N, bool by_kind = true, class Use>
void with_forms(CudaQueue& card, const Frame& source, const Frame& target, const Use& use) {
  const FormKind kind = kind_of(source);
  with_kind<by_kind ? N : 0>(kind == kind_of(target) ? kind : FormKind::any, [&](auto same) {
    use(form_rows<N, same()>(card, source), form_target<N, same()>(card, target));
  });
}

/// Whether a stored form becomes floats in an array, for a reader of light.
inline bool is_decoded_into_array(const Frame& source, const Frame& target) {
  return source.stored_form() != nullptr && target.stored_form() == nullptr &&
         target.card().is_array();
}
/// Calls use(target) with the view of an array of floats.
template <int N, class Use>
void with_array_target(const Frame& target, const Use& use) {
  target.card().template with_pixel_target<N>([&]<class Target>(const Target& pixels) {
    if constexpr (is_in_array<Target>) use(pixels);
  });
}

/// Calls use(rows, target) with the views of both frames: for floats, with the target's kind of
/// memory as part of its type, or as in with_forms(). Output for a reader of light, in an array, is
/// not encoded.
template <int N, bool by_kind = true, class Use>
void with_pixels(CudaQueue& card, const Frame& source, const Frame& target, const Use& use) {
  if constexpr (N == 4)
    if (is_decoded_into_array(source, target))
      return with_array_target<N>(
          target, [&](const auto& pixels) { use(form_rows<N>(card, source), pixels); });
  if (source.stored_form() != nullptr || target.stored_form() != nullptr)
    return with_forms<N, by_kind>(card, source, target, use);
  target.card().template with_pixel_target<N>(
      [&](const auto& pixels) { use(source.card().template rows_view<float, N>(), pixels); });
}

/// Calls use(target) with floats, with the kind of memory as part of its type, or with any stored
/// form if it is written as floats.
template <int N, class Use>
void with_target(CudaQueue& card, const Frame& target, const Use& use) {
  if (target.stored_form() != nullptr) return use(form_target<N>(card, target));
  target.card().template with_pixel_target<N>(use);
}

}  // namespace cuimg

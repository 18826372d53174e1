// SPDX-License-Identifier: Apache-2.0
// Rows of the source that are being loaded for a thread which adds them: in its registers, or in
// shared memory.
#pragma once

#include "stages/pass/grey_texels.cuh"

namespace cuimg {

/// A column, and the place to which its rows are copied, `pitch` bytes apart.
struct CopiedColumn {
  GreyColumn column;
  char* to;
  int pitch;
};
/// Replaces a texel that is fetched: it is at CopiedColumn's place.
struct InCopies {};

/// @name Rows of a column: loaded together, and decoded later. @{
template <class Source, class Column>
struct FetchedFrom {
  using type = FetchedTexel<Source>;
};
template <class Source, class Column>
using FetchedBy = typename FetchedFrom<Source, Column>::type;
template <class Source, class RowOf, int count>
__device__ inline void fetch_rows(const Source& source, int x, const RowOf& row_of,
                                  FetchedTexel<Source> (&texels)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) texels[i] = fetch(source, x, row_of(i));
}
template <class Source, int count>
__device__ inline void decode_rows(const Source& source, int,
                                   const FetchedTexel<Source> (&texels)[count],
                                   Pixel<4> (&pixels)[count]) {
  decode_all(source, texels, pixels);
}

template <>
struct FetchedFrom<GreyRows, CopiedColumn> {
  using type = InCopies;
};
template <class RowOf, int count>
__device__ inline void fetch_rows(const GreyRows& source, const CopiedColumn& x,
                                  const RowOf& row_of, InCopies (&)[count]) {
  source.copy<count>(x.column, x.to, x.pitch, [&](int i) {
    return static_cast<std::uint64_t>(row_of(i) - source.top) * source.pitch_bytes;
  });
}
template <int count>
__device__ inline void decode_rows(const GreyRows& source, const CopiedColumn& x,
                                   const InCopies (&)[count], Pixel<4> (&pixels)[count]) {
  __pipeline_wait_prior(0);
  source.decode_copied(x.to, x.pitch, pixels);
}
/// @}

}  // namespace cuimg

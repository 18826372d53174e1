// SPDX-License-Identifier: Apache-2.0
// The runtime's functions that the library calls. If one is missing here, the linker takes it from
// the real runtime, whose other functions then clash: a link error names it.
#include "fake_cudart.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "fake_state.h"

using fake_cuda::Array, fake_cuda::Mipmap, fake_cuda::State, fake_cuda::Surface, fake_cuda::Texture;

namespace {

// Runs `work` unless a rule fails the call.
template <class Work>
cudaError_t call(const FakeCudaCall& what, const Work& work) {
  State& state = State::instance();
  if (state.watch) state.watch(what);
  std::lock_guard lock(state.mutex);
  if (const cudaError_t failed = state.enter(what.name); failed != cudaSuccess) return failed;
  work(state);
  return cudaSuccess;
}

template <class T>
T* born(State& state, T* resource) {
  state.alive.insert(resource);
  return resource;
}

void* new_memory(State& state, std::size_t bytes) {
  void* memory = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  std::memset(memory, 0xcd, bytes);
  return born(state, memory);
}

// Aborts because a resource never existed or is already destroyed.
void died(State& state, const void* resource) {
  if (state.alive.erase(resource) == 1) return;
  std::fprintf(stderr, "fake CUDA: a resource is destroyed that is not alive\n");
  std::abort();
}

void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
               std::size_t width, std::size_t height) {
  for (std::size_t y = 0; y < height; ++y)
    std::memcpy(static_cast<char*>(to) + y * to_pitch,
                static_cast<const char*>(from) + y * from_pitch, width);
}

template <class Pointer>
unsigned long long number_of(Pointer* pointer) {
  return reinterpret_cast<unsigned long long>(pointer);
}

struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local Configuration configuration;

cudaError_t launch(const void* kernel, void** arguments) {
  State& state = State::instance();
  std::lock_guard lock(state.mutex);
  const std::string name = state.kernels[kernel];
  if (const cudaError_t failed = state.enter("launch", name); failed != cudaSuccess) return failed;
  const bool reads_levels = name.find("sample_levels_kernel") != std::string::npos;
  if (reads_levels || name.find("sample_texture_kernel") != std::string::npos) {
    const auto* texture =
        reinterpret_cast<const Texture*>(*static_cast<const cudaTextureObject_t*>(arguments[0]));
    (reads_levels ? fake_cuda::sample_levels : fake_cuda::sample)(
        *texture, *static_cast<float**>(arguments[1]), *static_cast<float**>(arguments[2]),
        *static_cast<int*>(arguments[3]), state.differing_type);
    return cudaSuccess;
  }
  return state.skip_kernels ? cudaSuccess : state.fail(cudaErrorNoKernelImageForDevice);
}

}  // namespace

extern "C" {

// Functions that nvcc's generated code calls.
void** __cudaRegisterFatBinary(void*) { return nullptr; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  State& state = State::instance();
  std::lock_guard lock(state.mutex);
  state.kernels[host] = name;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
char __cudaInitModule(void**) { return 0; }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) {
  configuration = {grid, block, shared, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3, dim3, void** arguments, size_t,
                               cudaStream_t) {
  return launch(kernel, arguments);
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3, dim3, void** arguments, size_t,
                             cudaStream_t) {
  return launch(kernel, arguments);
}

// Errors.
const char* cudaGetErrorString(cudaError_t code) {
  (void)call("cudaGetErrorString", [](State&) {});
  switch (static_cast<int>(code)) {
    case 2:
      return "out of memory";
    case 35:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case 46:
      return "CUDA-capable device(s) is/are busy or unavailable";
    case 100:
      return "no CUDA-capable device is detected";
    case 209:
      return "no kernel image is available for execution on the device";
    default:
      return "unspecified";
  }
}
cudaError_t cudaGetLastError() {
  // A launch that broke the context is reported here, so this one call must be allowed.
  State& state = State::instance();
  std::lock_guard lock(state.mutex);
  const int error = fake_cuda::last_error;
  if (state.broken_by.contains(fake_cuda::current_card)) {
    if (error == 0) (void)state.enter("cudaGetLastError");
    fake_cuda::last_error = 0;
    return static_cast<cudaError_t>(error);
  }
  fake_cuda::last_error = 0;
  return static_cast<cudaError_t>(error);
}

// Cards.
cudaError_t cudaDriverGetVersion(int* version) {
  return call("cudaDriverGetVersion", [&](State&) { *version = 13000; });
}
cudaError_t cudaGetDeviceCount(int* count) {
  return call("cudaGetDeviceCount", [&](State& state) { *count = state.devices; });
}
cudaError_t cudaSetDevice(int device) {
  fake_cuda::make_context();
  fake_cuda::current_card = device;
  return call("cudaSetDevice", [](State&) {});
}
cudaError_t cudaGetDevice(int* device) {
  return call("cudaGetDevice", [&](State&) { *device = fake_cuda::current_card; });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  return call("cudaGetDeviceProperties", [&](State& state) {
    std::memset(properties, 0, sizeof *properties);
    std::strcpy(properties->name, "Fake card");
    std::memset(properties->uuid.bytes, 0x5a, sizeof properties->uuid.bytes);
    properties->major = state.major;
    properties->minor = state.minor;
    properties->multiProcessorCount = 1;
    properties->totalGlobalMem = std::size_t{1} << 30;
    properties->sharedMemPerMultiprocessor = std::size_t{100} << 10;
    properties->l2CacheSize = 48 << 20;
  });
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return call("cudaFuncSetAttribute", [](State&) {});
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  return call("cudaDeviceGetAttribute", [&](State& state) {
    const std::map<cudaDeviceAttr, int> values = {
        {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
        {cudaDevAttrMaxTexture2DHeight, 65536},
        {cudaDevAttrMaxSurface2DHeight, 65536},
        {cudaDevAttrMaxTexture2DLinearHeight, 65000},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, state.shared_kb << 10},
        {cudaDevAttrHostNumaId, 0}};
    const auto known = values.find(which);
    *value = known != values.end() ? known->second : 131072;
  });
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return call("cudaMemGetInfo", [&](State&) { *free_bytes = *total_bytes = std::size_t{1} << 30; });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  return call("cudaFuncGetAttributes", [&](State&) { *attributes = {}; });
}

// Streams and events: all work is complete when a call returns.
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return call("cudaStreamCreateWithFlags", [&](State& state) {
    *stream = reinterpret_cast<cudaStream_t>(born(state, new char));
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call("cudaStreamDestroy", [&](State& state) {
    died(state, stream);
    delete reinterpret_cast<char*>(stream);
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return call("cudaStreamSynchronize", [](State&) {});
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return call("cudaEventCreateWithFlags",
              [&](State& state) { *event = reinterpret_cast<cudaEvent_t>(born(state, new char)); });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call("cudaEventDestroy", [&](State& state) {
    died(state, event);
    delete reinterpret_cast<char*>(event);
  });
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return call("cudaEventRecord", [](State&) {});
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  return call("cudaEventQuery", [](State&) {});
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return call("cudaEventSynchronize", [](State&) {});
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  return call("cudaEventElapsedTime", [&](State&) { *milliseconds = 0.001f; });
}

// Memory.
cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return call("cudaMalloc", [&](State& state) { *memory = new_memory(state, bytes); });
}
cudaError_t cudaFree(void* memory) {
  return call("cudaFree", [&](State& state) {
    died(state, memory);
    std::free(memory);
  });
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  return call("cudaMallocHost", [&](State& state) { *memory = new_memory(state, bytes); });
}
cudaError_t cudaFreeHost(void* memory) {
  return call("cudaFreeHost", [&](State& state) {
    died(state, memory);
    std::free(memory);
  });
}
cudaError_t cudaHostRegister(void* memory, size_t, unsigned) {
  return call("cudaHostRegister", [&](State& state) { born(state, memory); });
}
cudaError_t cudaHostUnregister(void* memory) {
  return call("cudaHostUnregister", [&](State& state) { died(state, memory); });
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned) {
  return call("cudaMallocArray", [&](State& state) {
    auto* made = born(state, new Array{*format, width, height, 1, {}});
    made->bytes.assign(made->pitch() * height, '\xcd');
    *array = reinterpret_cast<cudaArray_t>(made);
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned) {
  return call("cudaMalloc3DArray", [&](State& state) {
    auto* made = born(
        state, new Array{*format, extent.width, extent.height * extent.depth, extent.depth, {}});
    made->bytes.assign(made->pitch() * made->height, '\xcd');
    *array = reinterpret_cast<cudaArray_t>(made);
  });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return call("cudaFreeArray", [&](State& state) {
    died(state, array);
    delete reinterpret_cast<Array*>(array);
  });
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* format, cudaExtent extent,
                                     unsigned levels, unsigned) {
  return call("cudaMallocMipmappedArray", [&](State& state) {
    auto* made = born(state, new Mipmap);
    for (unsigned l = 0; l < levels; ++l) {
      const auto side = [l](std::size_t first) { return std::max<std::size_t>(first >> l, 1); };
      Array level = {*format, side(extent.width), side(extent.height), 1, {}};
      level.bytes.assign(level.pitch() * level.height, '\xcd');
      made->levels.push_back(std::move(level));
    }
    *array = reinterpret_cast<cudaMipmappedArray_t>(made);
  });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned index) {
  return call("cudaGetMipmappedArrayLevel", [&](State&) {
    auto* mipmap = reinterpret_cast<Mipmap*>(const_cast<cudaMipmappedArray_t>(array));
    *level = reinterpret_cast<cudaArray_t>(&mipmap->levels.at(index));
  });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return call("cudaFreeMipmappedArray", [&](State& state) {
    died(state, array);
    delete reinterpret_cast<Mipmap*>(array);
  });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  return call("cudaMemcpyAsync", [&](State&) { std::memcpy(to, from, bytes); });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return call({"cudaMemcpy2DAsync", stream, width * height, kind == cudaMemcpyHostToDevice},
              [&](State&) { copy_rows(to, to_pitch, from, from_pitch, width, height); });
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
  return call("cudaMemsetAsync", [&](State&) { std::memset(to, value, bytes); });
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t) {
  return call("cudaMemset2DAsync", [&](State&) {
    for (size_t y = 0; y < height; ++y)
      std::memset(static_cast<char*>(to) + y * pitch, value, width);
  });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t from_pitch, size_t width, size_t height, cudaMemcpyKind,
                                     cudaStream_t stream) {
  return call({"cudaMemcpy2DToArrayAsync", stream, width * height, true}, [&](State&) {
    auto* array = reinterpret_cast<Array*>(to);
    copy_rows(array->bytes.data() + y * array->pitch() + x, array->pitch(), from, from_pitch, width,
              height);
  });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind,
                                       cudaStream_t stream) {
  return call({"cudaMemcpy2DFromArrayAsync", stream, width * height, false}, [&](State&) {
    const auto* array = reinterpret_cast<const Array*>(from);
    copy_rows(to, to_pitch, array->bytes.data() + y * array->pitch() + x, array->pitch(), width,
              height);
  });
}
// Copies of whole arrays from host memory, as the program uses them.
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t) {
  return call("cudaMemcpy3DAsync", [&](State&) {
    auto* array = reinterpret_cast<Array*>(copy->dstArray);
    copy_rows(array->bytes.data(), array->pitch(), static_cast<const char*>(copy->srcPtr.ptr),
              copy->srcPtr.pitch, array->pitch(), array->height);
  });
}

// Texture and surface objects.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc*) {
  return call("cudaCreateTextureObject", [&](State& state) {
    *object = number_of(born(state, new Texture{*resource, *description}));
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return call("cudaDestroyTextureObject", [&](State& state) {
    auto* texture = reinterpret_cast<Texture*>(object);
    died(state, texture);
    delete texture;
  });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return call("cudaCreateSurfaceObject",
              [&](State& state) { *object = number_of(born(state, new Surface{*resource})); });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return call("cudaDestroySurfaceObject", [&](State& state) {
    auto* surface = reinterpret_cast<Surface*>(object);
    died(state, surface);
    delete surface;
  });
}

}  // extern "C"

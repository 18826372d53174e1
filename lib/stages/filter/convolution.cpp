// SPDX-License-Identifier: Apache-2.0
#include "stages/filter/convolution.h"

#include <algorithm>
#include <utility>

#include "build_config.h"

namespace cuimg {
namespace {

class ConvolutionOperation final : public StencilOperation {
 public:
  ConvolutionOperation(const Spec& input, Border border, Convolution kernel,
                       std::vector<Finish> finish, bool raw)
      : StencilOperation(input, border, kernel.reach(), raw),
        kernel_(std::move(kernel)),
        finish_(std::move(finish)) {}

  double cost_ns() const override {
    const auto taps = static_cast<double>(kernel_.weights.size() + kernel_.vertical.weights.size());
    return (4 + 0.15 * taps) * static_cast<double>(output().layers.size());
  }

  std::vector<std::string> explanation() const override {
    if (kernel_.is_separable())
      return {std::to_string(kernel_.rows.front().taps) + " by " +
              std::to_string(kernel_.vertical.taps()) + " taps in two passes"};
    return {std::to_string(kernel_.weights.size()) + " taps in one pass"};
  }

 private:
  void filter(const Queue& queue, int layer, const Frame& source,
              const Frame& target) const override {
    const Finish& finish = finish_[static_cast<std::size_t>(layer)];
    if constexpr (build::has_cuda)
      if (queue.is_cuda())
        return convolve_on_cuda(queue, kernel_, surround(), finish, source, target);
    convolve_on_cpu(kernel_, surround(), finish, source, target);
  }

  Convolution kernel_;
  std::vector<Finish> finish_;
};

}  // namespace

Convolution Convolution::separable(const AxisKernel& horizontal, const AxisKernel& vertical) {
  return {vertical, {{0, horizontal.low, horizontal.taps(), 0}}, horizontal.weights};
}

Reach Convolution::reach() const {
  Reach reach;
  for (const KernelRow& row : rows) {
    reach.left = std::max(reach.left, -row.low);
    reach.right = std::max(reach.right, row.low + row.taps - 1);
    reach.up = std::max(reach.up, -(row.y + vertical.low));
    reach.down = std::max(reach.down, row.y + vertical.high());
  }
  return reach;
}

std::unique_ptr<Operation> make_convolution(const Spec& input, Border border, Convolution kernel,
                                            std::vector<Finish> finish, bool raw) {
  return std::make_unique<ConvolutionOperation>(input, border, std::move(kernel), std::move(finish),
                                                raw);
}

}  // namespace cuimg

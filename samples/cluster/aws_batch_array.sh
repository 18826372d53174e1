#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An AWS Batch array job of eight: child I makes every eighth image. aws_batch_array.sh QUEUE FILE_SYSTEM
set -euo pipefail
aws batch register-job-definition --job-definition-name cuimg --type container \
  --retry-strategy attempts=3 --container-properties '{
    "image": "registry.example/cuimg",
    "resourceRequirements": [{"type": "VCPU", "value": "4"}, {"type": "MEMORY", "value": "4096"}],
    "command": ["cuimg", "resize", "--size", "50%", "/images/in", "-o", "/images/out/{stem}.jpg",
                "--shard", "auto", "--skip-existing"],
    "volumes": [{"name": "images", "efsVolumeConfiguration": {"fileSystemId": "'"$2"'"}}],
    "mountPoints": [{"sourceVolume": "images", "containerPath": "/images"}]}'
aws batch submit-job --job-name cuimg --job-queue "$1" --job-definition cuimg \
  --array-properties size=8

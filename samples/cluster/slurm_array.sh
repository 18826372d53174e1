#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm array job: task I of 4 makes every fourth image. sbatch slurm_array.sh IN OUT
#SBATCH --job-name=cuimg
#SBATCH --array=0-3
#SBATCH --cpus-per-task=1
#SBATCH --output=cuimg-%A_%a.log
set -euo pipefail
exec cuimg resize --size 50% "$1" -o "$2/{stem}.jpg" \
  --shard auto --skip-existing --threads "$SLURM_CPUS_PER_TASK"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One Slurm job whose four tasks share the images. sbatch slurm_srun.sh IN OUT
#SBATCH --job-name=cuimg
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1
#SBATCH --output=cuimg-%j.log
set -euo pipefail
srun cuimg resize --size 50% "$1" -o "$2/{stem}.jpg" \
  --shard auto --skip-existing --threads "$SLURM_CPUS_PER_TASK"

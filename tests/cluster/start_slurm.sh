#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Slurm on this machine alone, in the foreground. start_slurm.sh FOLDER CONTROLLER_PORT NODE_PORT
# The test runs it as the first process of a PID namespace, so that its end ends every daemon.
set -euo pipefail
folder=$1 host=${HOSTNAME%%.*}
cd "$folder"
mkdir state spool
(umask 077 && head -c 128 /dev/urandom >munge.key)
cat >slurm.conf <<END
ClusterName=cuimg
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$2
SlurmdPort=$3
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=256
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF=$folder/slurm.conf
# --force: the folder is the test's alone, so the socket is not for everyone.
munged --foreground --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
  --pid-file="$folder/munge.pid" --log-file="$folder/munge.log" --seed-file="$folder/munge.seed" &
for ((i = 0; i < 100; i++)); do
  [ ! -S munge.socket ] || break
  sleep 0.05
done
slurmctld -D -c &
slurmd -D &
wait -n
echo "a daemon has ended" >&2

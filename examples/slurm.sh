#!/bin/sh
# Ten million matches on 64 cores of a Slurm cluster: sh examples/slurm.sh, on a login node.
# Each job of the array plays one part; the last job merges them when all are there.
set -eu
PARTS=64
OUT=${OUT:-$PWD/parts}

array=$(sbatch --parsable --array="0-$((PARTS - 1))" --cpus-per-task=1 --mem=2G --time=01:00:00 \
    --requeue --job-name=droptable \
    --wrap "python examples/slurm_matches.py part drop-or-pop --players 4 --bots greedy \
        --matches 10000000 --seed 1 --parts $PARTS --part \$SLURM_ARRAY_TASK_ID --out '$OUT'")

sbatch --dependency="afterok:$array" --cpus-per-task=1 --mem=4G --job-name=droptable-merge \
    --wrap "python examples/slurm_matches.py merge '$OUT' '$OUT/matches.parquet'"

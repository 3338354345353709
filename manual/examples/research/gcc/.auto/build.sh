#!/usr/bin/env bash
# Compiles the program with the flags under test; no fused operations, so that every machine computes the same.
set -eu
command -v gcc >/dev/null || { echo 'skipped: gcc not found'; exit 2; }
mkdir -p .build
read -ra flags < flags.txt
gcc -ffp-contract=off "${flags[@]}" work.c -o .build/work

#!/usr/bin/env bash
# One execution: processor time of the program, user and system together, and the size of its file.
set -eu
TIMEFORMAT='%3U %3S'
read -r user system < <({ time .build/work >/dev/null; } 2>&1)
echo "METRIC cpu_ms=$((10#${user/./} + 10#${system/./}))"
echo "METRIC binary_kb=$(($(wc -c < .build/work) / 1024))"

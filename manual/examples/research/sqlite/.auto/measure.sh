#!/usr/bin/env bash
# One execution: time from the first transaction to the last one on the disk. Waiting for the disk is the cost, which
# processor time would not show.
set -eu
command -v sqlite3 >/dev/null || { echo 'skipped: sqlite3 not found'; exit 2; }
mkdir -p .build
case $(stat -f -c %T .build 2>/dev/null || true) in
  tmpfs | ramfs) echo 'skipped: this file system is in memory, nothing waits for a disk'; exit 2 ;;
esac
rm -f .build/measured.db*
TIMEFORMAT='%3R'
wall=$({ time cat settings.sql work.sql | sqlite3 -batch -bail .build/measured.db >/dev/null; } 2>&1)
echo "METRIC wall_ms=$((10#${wall/./}))"
echo "METRIC db_kb=$(($(wc -c < .build/measured.db) / 1024))"
rm -f .build/measured.db*

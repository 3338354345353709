#!/usr/bin/env bash
# Prints a change for review. usage: change.sh [BASE]
#   without BASE: working tree against HEAD; with BASE: everything since the merge base with it.
# Runs nothing that the repository configures: no hooks, monitors, external diffs or text converters.
set -euo pipefail

git() { command git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.quotePath=false --no-pager "$@"; }
show() { git diff --no-ext-diff --no-textconv --no-color --find-renames "$@"; }

git rev-parse --show-toplevel >/dev/null 2>&1 || { echo "not inside a git repository" >&2; exit 2; }

if git rev-parse --verify --quiet HEAD >/dev/null; then head=HEAD; else head=$(git hash-object -t tree /dev/null); fi
if [ $# -gt 0 ]; then
  base=$(git merge-base "$1" HEAD) || { echo "no common ancestor with $1" >&2; exit 2; }
  echo "## commits since $1 ($base)"
  git log --oneline --no-decorate "$base"..HEAD
else
  base=$head
fi

echo "## status"
git status --short --untracked-files=all
echo "## statistics against $base"
show --stat=110 "$base"
echo "## diff"
show --unified=8 "$base" -- . ':(exclude,glob)**/package-lock.json' ':(exclude,glob)**/*.lock' ':(exclude,glob)**/*.min.*'
echo "## untracked files (not in the diff; read them)"
git ls-files --others --exclude-standard

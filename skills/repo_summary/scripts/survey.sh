#!/usr/bin/env bash
# Prints the facts a summary of a repository begins with. usage: survey.sh [DIR]
# Reads only; runs nothing that the repository configures.
set -euo pipefail
cd "${1:-.}"

git() { command git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.quotePath=false --no-pager "$@"; }
if git rev-parse --show-toplevel >/dev/null 2>&1; then
  list() { git ls-files; }
else
  list() { find . -type f -not -path '*/.*' -not -path '*/node_modules/*' | sed 's|^\./||'; }
fi
top() { sort | uniq -c | sort -rn | head -n "$1" || true; }
files=$(list)
match() { printf '%s\n' "$files" | grep -E "$1" | head -n "${2:-40}" || true; }

echo "## files: $(printf '%s\n' "$files" | grep -c . || true)"
echo "## by folder (two levels)"
printf '%s\n' "$files" | awk -F/ 'NF==1{print "."} NF==2{print $1"/"} NF>2{print $1"/"$2"/"}' | top 30
echo "## by extension"
printf '%s\n' "$files" | awk -F/ '{n=$NF} n~/\./{sub(/.*\./,"",n); print n}' | top 15
echo "## manifests, build and containers"
match '(^|/)(package\.json|go\.mod|Cargo\.toml|pyproject\.toml|setup\.py|requirements[^/]*\.txt|Gemfile|composer\.json|pom\.xml|build\.gradle(\.kts)?|CMakeLists\.txt|Makefile|justfile|Taskfile\.ya?ml|Dockerfile[^/]*|(docker-)?compose[^/]*\.ya?ml|flake\.nix)$'
echo "## CI and rules"
match '(^|/)(\.github/workflows/|\.gitlab-ci\.yml|\.circleci/|Jenkinsfile|azure-pipelines|\.pre-commit-config|CONTRIBUTING|AGENTS\.md|CLAUDE\.md|CODEOWNERS)'
echo "## entry points by convention"
match '(^|/)(main|index|app|server|cli|__main__|manage|Program|Main)\.(ts|tsx|js|mjs|py|go|rs|java|kt|rb|cs|c|cpp)$|^cmd/[^/]+/|^bin/'
echo "## largest sources (lines)"
printf '%s\n' "$files" | grep -E '\.(ts|tsx|js|jsx|mjs|py|go|rs|java|kt|rb|cs|c|cc|cpp|h|swift|php|scala|ex|sh)$' \
  | tr '\n' '\0' | xargs -0 -r wc -l 2>/dev/null | grep -v ' total$' | sort -rn | head -n 15 || true
echo "## tests"
match '(^|/)(tests?|spec|__tests__|e2e)/|[._](test|spec)\.' 100000 | grep -c . | sed 's/$/ files by name/' || true
if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
  echo "## history"
  echo "commits $(git rev-list --count HEAD), last $(git log -1 --format=%cs), authors in the last year $(git log --since=1.year --format=%ae | sort -u | grep -c . || true)"
  git tag --sort=-creatordate | head -n 5 | sed 's/^/tag /' || true
  echo "## folders changed most in the last year"
  git log --since=1.year --name-only --format= | grep . | awk -F/ 'NF==1{print "."} NF==2{print $1"/"} NF>2{print $1"/"$2"/"}' | top 15 || true
fi

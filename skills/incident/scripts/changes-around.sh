#!/usr/bin/env bash
# Lists what changed in a repository between two times. usage: changes-around.sh START END [PATH…]
#   times as git reads them, taken as UTC: "2026-03-01 14:00" "2026-03-01 16:30"
# Marks commits that touch configuration, dependencies, migrations, infrastructure or CI. Reads only.
set -euo pipefail
[ $# -ge 2 ] || { echo 'usage: changes-around.sh START END [PATH…]' >&2; exit 2; }
start=$1; end=$2; shift 2
export TZ=UTC

git() { command git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.quotePath=false --no-pager "$@"; }
git rev-parse --show-toplevel >/dev/null 2>&1 || { echo "not inside a git repository" >&2; exit 2; }

kinds() { # names of changed files on standard input
  awk '
    /(^|\/)(migrations?|migrate|schema)\/|\.sql$/                                   {k["migration"]}
    /(package(-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|go\.(mod|sum)|Cargo\.(toml|lock)|requirements[^\/]*\.txt|poetry\.lock|uv\.lock|Gemfile(\.lock)?|pom\.xml|build\.gradle[^\/]*)$/ {k["dependencies"]}
    /\.(tf|tfvars)$|(^|\/)(helm|charts|k8s|kubernetes|deploy|infra|ansible|terraform)\/|Dockerfile|compose[^\/]*\.ya?ml$/ {k["infrastructure"]}
    /(^|\/)(\.github\/workflows|\.circleci)\/|\.gitlab-ci|Jenkinsfile/              {k["ci"]}
    /\.(ya?ml|toml|ini|conf|cfg|properties|env)$|(^|\/)config\//                     {k["configuration"]}
    /feature.?flags?|toggles?/                                                       {k["flags"]}
    END {s=""; for (n in k) s = s (s=="" ? "" : ", ") n; print s}'
}

echo "## commits on all branches, by committer date, UTC"
count=0
while IFS=$'\t' read -r hash when who subject; do
  [ -n "$hash" ] || continue
  count=$((count + 1))
  mark=$(git show --format= --name-only -m --first-parent "$hash" -- "$@" | sort -u | kinds)
  printf '%s  %s  %s  %s%s\n' "$when" "$hash" "$who" "$subject" "${mark:+  [$mark]}"
done < <(git log --all --since="$start" --until="$end" --date=format-local:'%Y-%m-%d %H:%M' --format='%h%x09%cd%x09%an%x09%s' -- "$@")
echo "$count commits"

echo "## tags made in this time"
git for-each-ref refs/tags --sort=creatordate --format='%(creatordate:format-local:%Y-%m-%d %H:%M)  %(refname:short)  %(objectname:short)' \
  | awk -v a="$start" -v b="$end" '{t=$1" "$2; if (t>=a && t<=b) print}'

echo "## last commit before the start"
git log --all -1 --before="$start" --date=format-local:'%Y-%m-%d %H:%M' --format='%cd  %h  %s' -- "$@"

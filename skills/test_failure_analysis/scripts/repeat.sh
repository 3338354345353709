#!/usr/bin/env bash
# Runs a command N times and counts how it ends. usage: repeat.sh N COMMAND [ARG…]
# Each run's output is dropped, except the first failing one, whose file name is printed.
# Limits: REPEAT_TIMEOUT seconds per run (default 300). Exit code 1 when any run failed.
set -uo pipefail

[ $# -ge 2 ] && [ "$1" -gt 0 ] 2>/dev/null || { echo "usage: repeat.sh N COMMAND [ARG…]" >&2; exit 2; }
n=$1; shift
limit=${REPEAT_TIMEOUT:-300}
bound=(timeout "$limit")
command -v timeout >/dev/null || { bound=(); echo "no timeout program here: runs are not limited in time" >&2; }
out=$(mktemp) || exit 2
kept=""
fails=0
codes=""
trap 'rm -f "$out"' EXIT

for i in $(seq "$n"); do
  ${bound[@]+"${bound[@]}"} "$@" </dev/null >"$out" 2>&1
  code=$?
  codes+="$code"$'\n'
  if [ "$code" -ne 0 ]; then
    fails=$((fails + 1))
    if [ -z "$kept" ]; then kept=$(mktemp) && cp "$out" "$kept"; fi
  fi
done

echo "runs $n, failed $fails"
printf '%s' "$codes" | sort -n | uniq -c | awk '{printf "exit code %s: %s times%s\n", $2, $1, ($2==124 ? " (time limit)" : "")}'
if [ -n "$kept" ]; then echo "first failing output: $kept"; tail -n 40 "$kept"; fi
if [ "$fails" -eq 0 ]; then echo "with 95 % confidence the failure rate is below $(awk -v n="$n" 'BEGIN{printf "%.1f", 100*(1-exp(log(0.05)/n))}') %"; fi
[ "$fails" -eq 0 ]

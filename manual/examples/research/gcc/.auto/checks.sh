#!/usr/bin/env bash
# The program must print, to the last digit, what it prints without optimisation.
set -eu
plain=$(mktemp)
trap 'rm -f "$plain"' EXIT
gcc -ffp-contract=off -O0 work.c -o "$plain"
expected=$("$plain")
printed=$(.build/work)
[ "$printed" = "$expected" ] && exit 0
printf 'expected %s\nprinted  %s\n' "$expected" "$printed"
exit 1

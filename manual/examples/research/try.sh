#!/usr/bin/env bash
# Copies an example into a repository of its own and lets it run there: try.sh gcc|sqlite|zlib [flags of research auto]
# ANODE names the program (else `anode`, else the one built in this clone); ANODE_SKIPPED is the exit code when a program is missing (2).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=${1:-}
case $name in
  gcc) needs=gcc flags=(--seed 7 --max-runs 14) ;;
  sqlite) needs=sqlite3 flags=(--seed 5 --max-runs 10) ;;
  zlib) needs=node flags=(--seed 11 --max-runs 60 --patience 60) ;;
  *) echo 'usage: try.sh gcc|sqlite|zlib [flags]' >&2; exit 2 ;;
esac
shift
if ! command -v "$needs" >/dev/null; then
  echo "skipped: $needs not found"
  exit "${ANODE_SKIPPED:-2}"
fi

copy=$(mktemp -d "${TMPDIR:-/tmp}/anode-$name.XXXXXX")
cp -R "$here/$name/." "$copy"
cd "$copy"
git init -q -b main
git config user.name example
git config user.email example@example.org
printf '.build/\n' >> .git/info/exclude
git add -A
git commit -q -m 'Start'
echo "in $copy" >&2

if [ -n "${ANODE:-}" ]; then read -ra anode <<< "$ANODE"
elif command -v anode >/dev/null; then anode=(anode)
else anode=(node "$here/../../../dist/anode.cjs"); fi
exec "${anode[@]}" research auto --policy random "${flags[@]}" "$@"

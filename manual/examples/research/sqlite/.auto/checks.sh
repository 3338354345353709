#!/usr/bin/env bash
# What is committed must survive a power cut: the journal is on the disk and every commit waits for it. The settings
# may say nothing else, the data must be complete.
set -eu
if grep -vnE '^PRAGMA [a-z_]+ = [A-Za-z0-9-]+;$' settings.sql; then
  echo 'settings.sql may hold nothing but lines PRAGMA name = value;'
  exit 1
fi
mkdir -p .build
db=.build/checked.db
rm -f "$db"*
trap 'rm -f "$db"*' EXIT
read -r journal synchronous rows sum intact < <(
  { cat settings.sql work.sql
    echo '.separator " "'
    echo "SELECT 'result', j.journal_mode, s.synchronous, (SELECT count(*) FROM entry), (SELECT sum(amount) FROM entry),
      (SELECT group_concat(integrity_check) FROM pragma_integrity_check)
      FROM pragma_journal_mode j, pragma_synchronous s;"
  } | sqlite3 -batch -bail "$db" | sed -n 's/^result //p'
)
echo "journal_mode=$journal synchronous=$synchronous rows=$rows sum=$sum integrity=$intact"
case $journal in
  delete | truncate | persist | wal) ;;
  *) echo "journal_mode=$journal is lost with the power: a torn write cannot be undone"; exit 1 ;;
esac
if [ "$synchronous" -lt 2 ]; then
  echo "synchronous=$synchronous does not wait for the disk at every commit"
  exit 1
fi
[ "$rows $sum $intact" = "60 70 ok" ]

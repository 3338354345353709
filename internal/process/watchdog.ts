// A small shell that outlives Anode by a moment: when the pipe from us closes, it ends what we left behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { limitMarkOf } from './limit-mark.ts'

export interface Watchdog {
  /** Tells it of a process group; only needed where there is no /proc to look into. */
  watch(group: number): void
  forget(group: number): void
  /** Closes the pipe, as our death would. */
  hangUp(): void
  /** Ends it without a sweep. */
  dismiss(): Promise<void>
}

/**
 * Reads lines `+GROUP` and `-GROUP`; at the end of the pipe it sends TERM to every process whose environment
 * holds the id $1 or whose limit of file locks begins with $3, to their sessions and to all that descend from
 * them (or, without /proc, to the groups), KILL after two seconds, and removes the directory $2. Who was
 * found once is not lost with its parent. It ends by itself, after 12 seconds at the latest. Its own
 * environment does not hold the id.
 */
const script = `
groups=
while read -r line; do
  case $line in
    +*) groups="$groups \${line#+} " ;;
    -*)
      case $groups in
        *" \${line#-} "*) groups="\${groups%%" \${line#-} "*} \${groups#*" \${line#-} "}" ;;
      esac ;;
  esac
done
known=
found() {
  if [ -r /proc/self/environ ]; then
    marked=$(grep -lasF -e "$1" /proc/[0-9]*/environ 2>/dev/null)
    [ -n "$2" ] && marked="$marked $(grep -s -l "^Max file locks  *$2" /proc/[0-9]*/limits)"
    marked=$(echo $marked)
    # the name before each line is the system's own; what a process calls itself may hold anything
    grep -asH '' /proc/[0-9]*/stat | awk -v marked="$marked" -v known="$known" -v self=$$ '
      BEGIN {
        n = split(marked, list, " ")
        for (i = 1; i <= n; i++) { gsub(/[^0-9]/, "", list[i]); mark[list[i]] = 1 }
        n = split(known, list, " "); for (i = 1; i <= n; i++) old[list[i]] = 1
      }
      {
        at = index($0, ":"); pid = substr($0, 1, at - 1); gsub(/[^0-9]/, "", pid)
        text[pid] = text[pid] " " substr($0, at + 1)
      }
      END {
        for (pid in text) {
          line = text[pid]; sub(/^.*\\) /, "", line); split(line, field, " ")
          if (field[1] == "Z" || field[1] == "X" || pid == self) continue
          parent[pid] = field[2]; session[pid] = field[4]; id[pid] = pid ":" field[20]
          if (pid in mark || id[pid] in old) { ours[pid] = 1; if (pid in mark) sessions[field[4]] = 1 }
        }
        do {
          grew = 0
          for (pid in parent) if (!(pid in ours) && (parent[pid] in ours || session[pid] in sessions)) {
            ours[pid] = 1; grew = 1
          }
        } while (grew)
        for (pid in ours) print id[pid]
      }'
  else
    for group in $groups; do kill -0 -- "-$group" 2>/dev/null && echo "-$group"; done
  fi
}
kill_all() {
  kill -s KILL -- "$1"
  # a group dies in one step, whoever forks meanwhile included
  read -r line < "/proc/$1/stat" && set -- \${line##*) } && [ "$3" -gt 1 ] && kill -s KILL -- "-$3"
}
n=0
while all=$(found "$1" "$3"); [ -n "$all" ] && [ $n -lt 120 ]; do
  known="$known $(echo $all)"
  for one in $all; do
    one=\${one%%:*}
    if [ $n -ge 20 ]; then kill_all "$one"
    elif [ $n -eq 0 ]; then kill -s TERM -- "$one"; kill -s CONT -- "$one"; fi
  done 2>/dev/null
  n=$((n + 1))
  sleep 0.1
done
temporary=$(readlink -- "$2/temporary" 2>/dev/null)
case \${temporary##*/} in anode-??????????????????????????) rm -rf -- "$temporary" ;; esac
# the next start needs these records to remove what they list
for record in "$2"/stubs.*; do [ -e "$record" ] && exit; done
rm -rf -- "$2"
`

/**
 * Starts it in its own session. Does not keep this process alive. `gone` is called when it ends for whatever
 * reason.
 */
export function startWatchdog(id: string, directory: string, gone: () => void): Watchdog {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' }
  const child = spawn('/bin/sh', ['-c', script, 'anode-watchdog', id, directory, limitMarkOf(id) ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env,
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  void ended.then(gone)
  // a watchdog that is gone cannot be written to; the next start of a child makes a new one
  child.stdin.on('error', gone)
  child.unref()
  ;(child.stdin as unknown as { unref(): void }).unref()
  return {
    watch: (group) => writeLine(child, `+${group}`),
    forget: (group) => writeLine(child, `-${group}`),
    hangUp: () => child.stdin.end(),
    async dismiss() {
      child.kill('SIGKILL')
      child.ref()
      await ended
    },
  }
}

function writeLine(child: ChildProcess, line: string): void {
  if (child.stdin?.writable) child.stdin.write(`${line}\n`)
}

// The resources of one running Anode for its children: a directory, a watchdog, a stock of pipes, and the
// marker that identifies the children.

import { type ChildProcess, spawn } from 'node:child_process'
import { rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUpDeadProcesses, limitMarkOf, withLimitMark } from './dead-runs.ts'
import { makePipes, type PipeStock } from './output/child-pipes.ts'
import type { SpawnPlan } from './process-command.ts'
import { ChildHaste, killProcessFamily } from './process-family.ts'
import {
  makeRunDirectory,
  noteChild,
  ownRunIdentity,
  processStartTime,
  type RunIdentity,
  removeTemporaryDirectory,
} from './run-directory.ts'
import { hasProc } from './table/descendants.ts'

/**
 * Milliseconds before the watchdog starts for programs that start no other programs, because most of them end
 * sooner. If Anode dies in that time, such a program runs to its end, or is ended at the next start of Anode.
 */
const shortMs = 500

/**
 * The owner of all children. The first child creates everything; `close` ends all children
 * and removes everything.
 */
export class ChildOwner {
  readonly haste = new ChildHaste()
  readonly #dataDir: string
  #here: RunIdentity | undefined
  #directory: Promise<string> | undefined
  #watchdog: ChildWatchdog | undefined
  #late: NodeJS.Timeout | undefined
  #pipes: PipeStock | undefined
  #count = 0
  /** True if a child may have started other processes. */
  #hasFamilies = false
  /** True if children also carry their mark as a resource limit; see dead-runs.ts. */
  #hasLimits = false

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  get #place(): RunIdentity {
    this.#here ??= ownRunIdentity()
    return this.#here
  }

  /**
   * Returns the directory for files of this Anode process, and pipes if a child needed them. The first call
   * creates the directory, after a cleanup of what dead Anode processes left. Starts the watchdog: at once,
   * or after `shortMs` if every child so far is `childless`.
   */
  async ready(needs: { piped: boolean; childless: boolean }): Promise<{
    directory: string
    pipes: PipeStock | undefined
  }> {
    this.#directory ??= cleanUpDeadProcesses(this.#dataDir).then(() =>
      makeRunDirectory(this.#dataDir, this.#place),
    )
    const directory = await this.#directory
    if (needs.piped) this.#pipes ??= makePipes(directory)
    this.#hasFamilies ||= !needs.childless
    // Without /proc the watchdog has to be informed about every child, so it starts at once.
    if (!needs.childless || !hasProc()) this.#guard(directory)
    else this.#late ??= setTimeout(() => this.#guard(directory), shortMs).unref()
    return { directory, pipes: this.#pipes }
  }

  #guard(directory: string): void {
    clearTimeout(this.#late)
    this.#late = undefined
    this.#watchdog ??= startWatchdog(`${this.#place.id}.`, directory, () => {
      this.#watchdog = undefined
    })
  }

  /** Returns a number that no other child of this Anode process has. */
  number(): number {
    return ++this.#count
  }

  /** Returns the marker in the environment of child `n` and of every process that it starts. */
  mark(n: number): string {
    return `${this.#place.id}.${n}.`
  }

  /**
   * Returns a plan that also sets the mark of child `n` as a resource limit; the same plan if the system does
   * not allow that.
   */
  limit(plan: SpawnPlan, n: number): { plan: SpawnPlan; limit?: string } {
    const limited = withLimitMark(plan, this.mark(n))
    this.#hasLimits ||= limited !== undefined
    return limited ?? { plan }
  }

  /**
   * Records a started child. Returns its start time (undefined if it is not known), and `done`, which
   * removes the record.
   */
  note(directory: string, pid: number): { start: number | undefined; done: () => void } {
    const start = processStartTime(pid)
    const forget = noteChild(directory, pid, start ?? Math.floor(Date.now() / 1000))
    if (!hasProc()) this.#watchdog?.watch(pid)
    const done = () => {
      forget()
      if (!hasProc()) this.#watchdog?.forget(pid)
    }
    return { start, done }
  }

  /**
   * Removes a file or a directory in the directory of this Anode process. Does nothing before
   * the first child.
   */
  async remove(name: string): Promise<void> {
    const directory = await this.#directory?.catch(() => undefined)
    if (directory !== undefined) rmSync(join(directory, name), { recursive: true, force: true })
  }

  async close(): Promise<void> {
    if (this.#directory === undefined) return
    const directory = await this.#directory.catch(() => undefined)
    // if the directory could not be created, no child has started
    if (directory === undefined) return
    clearTimeout(this.#late)
    // All programs that start no others have ended by now, so only others are searched.
    const mark = `${this.#place.id}.`
    const limit = this.#hasLimits ? limitMarkOf(mark) : undefined
    if (this.#hasFamilies) await killProcessFamily({ mark, limit }, 0)
    await this.#pipes?.idle()
    await this.#watchdog?.dismiss()
    removeTemporaryDirectory(directory)
    removeDirectory(directory)
    this.#directory = undefined
    this.#pipes = undefined
  }
}

/**
 * Removes a directory. It is usually empty, and only other directories need the module that removes trees.
 */
function removeDirectory(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Returns the path of a file of child `n` in the directory. */
export const childFile = (directory: string, n: number, what: string): string =>
  join(directory, `${what}.${n}`)

interface ChildWatchdog {
  /** Adds a process group for the watchdog to end. This is necessary only without /proc. */
  watch(group: number): void
  forget(group: number): void
  /** Closes the pipe to the watchdog, so that it ends all processes, as after the death of Anode. */
  hangUp(): void
  /** Ends the watchdog without a search for processes. */
  dismiss(): Promise<void>
}

/**
 * Script of the watchdog. It reads lines `+GROUP` and `-GROUP`. At the end of the pipe it sends TERM to each
 * process of the family, and to their sessions and descendants. A process belongs to the family if its
 * environment has the id $1 or its limit of file locks begins with $3. Without /proc it sends TERM to the
 * groups. After about two seconds it sends KILL and removes the directory $2, unless that has files
 * `stubs.*`. It remembers the processes that it found, so that a dead parent hides no child. It exits after
 * at most 120 searches with pauses of 0.1 seconds. The id is not in its own environment.
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
  # the signal ends a group in one step, with processes that fork meanwhile
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
 * Starts the watchdog in its own session. It does not keep this process alive. `onEnd` is called when it ends
 * for any reason, or when a write to it fails.
 */
export function startWatchdog(id: string, directory: string, onEnd: () => void): ChildWatchdog {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' }
  const child = spawn('/bin/sh', ['-c', script, 'anode-watchdog', id, directory, limitMarkOf(id) ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env,
  })
  const endPromise = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  void endPromise.then(onEnd)
  // a write to a dead watchdog fails; the next start of a child creates a new one
  child.stdin.on('error', onEnd)
  child.unref()
  ;(child.stdin as unknown as { unref(): void }).unref()
  return {
    watch: (group) => writeLine(child, `+${group}`),
    forget: (group) => writeLine(child, `-${group}`),
    hangUp: () => child.stdin.end(),
    async dismiss() {
      child.kill('SIGKILL')
      child.ref()
      await endPromise
    },
  }
}

function writeLine(child: ChildProcess, line: string): void {
  if (child.stdin?.writable) child.stdin.write(`${line}\n`)
}

// Processor time of one command and of everything it starts, including processes that lose their parents.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProcessCommand, RunCommand } from '../../process/process-command.ts'
import { watchOrphans } from './orphan-times.ts'

export interface CpuTiming {
  /** Exit code, or null if a signal ended the command. */
  exit: number | null
  signal: string | null
  /**
   * User plus system time in milliseconds. NaN if no report can be read, such as after the command
   * was ended early.
   */
  cpuMs: number
  /**
   * Number of processes that remained after the command, or 1 if some remained that cannot be counted. They
   * were ended, and their time until then is included.
   */
  leaked: number
}

/**
 * Shell script that measures the processor time of a command, because Node reports only the time of the
 * process that runs it. It writes the time to a file, so that the command's output stays unchanged.
 */
const alone = 'report=$1; shift; TIMEFORMAT="%3U %3S"; { time "$@" 2>&3 3>&-; } 3>&2 2>"$report"'

/**
 * Script that measures processor time as process 1 of a PID namespace. A process that loses its parent
 * becomes its child and is waited for, so the sum of the shell includes it. Processes that remain after the
 * command are ended and waited for too.
 */
const adopting = `report=$1; shift
TIMEFORMAT="%3U %3S"
reap() {
  status=$? left=0
  for pause in 0.002 0.01 0; do
    kill -0 -1 2>/dev/null || return "$status"
    [ "$pause" = 0 ] || sleep "$pause"
  done
  others=(/proc/[0-9]*)
  left=$((\${#others[@]} - 1))
  [ "/proc/$$/ns/pid" -ef /proc/self/ns/pid ] && [ "$left" -gt 0 ] || left=1
  for i in {1..100}; do
    kill -KILL -1 2>/dev/null || break
    sleep 0.01
  done
  return "$status"
}
{ time { "$@" 2>&3 3>&-; reap; } ; } 3>&2 2>"$report"
status=$?
echo "leaked $left" >>"$report"
exit "$status"`

type CommandPlace = Pick<ProcessCommand, 'cwd' | 'env' | 'signal' | 'onOutput'>

/**
 * Runs `words` to their end with empty standard input. Returns the exit code, the processor time in
 * milliseconds including that of orphaned processes, and the number of processes that remained. Without
 * namespaces, the time of orphans is only sampled.
 */
export async function timeCpu(
  run: RunCommand,
  words: readonly string[],
  command: CommandPlace,
): Promise<CpuTiming> {
  const dir = await mkdtemp(join(tmpdir(), 'anode-cpu-'))
  let orphans: ReturnType<typeof watchOrphans> | undefined
  try {
    const report = join(dir, 'time')
    const namespace = await namespaceFor(run, command)
    orphans = namespace ? undefined : watchOrphans()
    const shell = ['bash', '-c', namespace ? adopting : alone, 'anode', report, ...words]
    const program = [...(namespace ?? []), ...shell]
    const [file = '', ...args] = program
    const extraEnv = orphans ? orphans.env : {}
    const { exit, signal, leaked } = await run({ ...command, file, args, extraEnv, keepBytes: 2 })
    const text = await readFile(report, 'utf8').catch(() => '')
    const more = orphans?.end() ?? 0
    const remainingCount = Number(/leaked (\d+)/.exec(text)?.[1] ?? 0)
    return { exit, signal, cpuMs: parseCpuTime(text) + more, leaked: leaked + remainingCount }
  } finally {
    orphans?.end()
    await rm(dir, { recursive: true, force: true })
  }
}

const ways = [
  ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--kill-child'],
]

/**
 * Returns the words that start a program in a new PID namespace: the first of `ways` that works here. Returns
 * undefined if none works, and on systems other than Linux.
 */
async function namespaceFor(
  run: RunCommand,
  { cwd, env, signal }: CommandPlace,
): Promise<readonly string[] | undefined> {
  if (process.platform !== 'linux') return undefined
  for (const words of ways) {
    const [file = '', ...args] = words
    const place = { cwd, env, signal }
    const tried = await run({ ...place, file, args: [...args, 'true'] }).catch(() => undefined)
    if (tried === undefined) return undefined
    if (tried.exit === 0) return words
  }
  return undefined
}

/**
 * Returns user plus system time in milliseconds, or NaN without a report. Some locales write a comma instead
 * of a point.
 */
function parseCpuTime(report: string): number {
  const [, user, system] = /(\d+[.,]\d{3}) (\d+[.,]\d{3})\s*$/m.exec(report) ?? []
  if (user === undefined || system === undefined) return Number.NaN
  return [user, system].reduce((sum, text) => sum + Number(text.replace(/[.,]/, '')), 0)
}

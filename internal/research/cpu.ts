// Processor time of one command and all it waits for.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, Run } from '../process/command.ts'

export interface Timed {
  /** null when a signal ended it. */
  exit: number | null
  signal: string | null
  /** User plus system time, milliseconds; NaN when it was ended before it could be read. */
  cpuMs: number
}

/** Node tells of no times but its own, a shell does; its report goes to a file so that no stream is touched. */
const script = 'report=$1; shift; TIMEFORMAT="%3U %3S"; { time "$@" 2>&3 3>&-; } 3>&2 2>"$report"'

/** Runs `words` to their end with empty standard input. Processes that nobody waited for are not counted. */
export async function timeCpu(
  run: Run,
  words: readonly string[],
  command: Pick<Command, 'cwd' | 'env' | 'signal' | 'onOutput'>,
): Promise<Timed> {
  const dir = await mkdtemp(join(tmpdir(), 'anode-cpu-'))
  try {
    const report = join(dir, 'time')
    const args = ['-c', script, 'anode', report, ...words]
    const { exit, signal } = await run({ ...command, file: 'bash', args, keepBytes: 2 })
    return { exit, signal, cpuMs: read(await readFile(report, 'utf8').catch(() => '')) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Thousandths of seconds are added as whole numbers; some locales write a comma. */
function read(report: string): number {
  const [, user, system] = /(\d+[.,]\d{3}) (\d+[.,]\d{3})\s*$/.exec(report) ?? []
  if (user === undefined || system === undefined) return Number.NaN
  return [user, system].reduce((sum, text) => sum + Number(text.replace(/[.,]/, '')), 0)
}

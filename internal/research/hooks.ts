// Scripts of the session that are told of every run: `.auto/hooks/before.sh` and `after.sh`, or their older places.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { now } from './book.ts'
import { record, type Seat } from './desk.ts'
import { attempt, callerEnvironment, tail } from './execute.ts'

const timeoutMs = 30_000

/**
 * Runs the hook in the workspace, if there is one; its output enters the ledger and is answered, for whoever proposes
 * next. A hook that fails stops nothing.
 */
export async function fire(
  seat: Seat,
  hook: 'before' | 'after',
  facts: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { workspace } = seat.desk.where
  const { env, run, signal } = seat.desk.ground
  const script = await first([`.auto/hooks/${hook}.sh`, `autoresearch.hooks/${hook}.sh`], workspace)
  const segment = seat.book.folded.active?.config.segment
  if (script === undefined || segment === undefined) return []
  const stage = { run, signal, cwd: workspace, env: { ...callerEnvironment(env, []), ...facts } }
  const { outcome } = await attempt(stage, { command: `exec bash ./${script}`, timeoutMs })
  const output = tail(outcome.combined.text, 80, 8192)
  await record(seat, { type: 'hook', segment, hook, exit: outcome.exit, output, timestamp: now() })
  const failed = outcome.exit === 0 ? '' : ` (exit ${outcome.exit ?? outcome.ended})`
  return output === '' && failed === '' ? [] : [`hook ${hook}${failed}: ${output}`]
}

async function first(names: readonly string[], workspace: string): Promise<string | undefined> {
  for (const name of names) {
    const there = await stat(join(workspace, name)).catch(() => undefined)
    if (there?.isFile()) return name
  }
  return undefined
}

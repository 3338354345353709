// Session hooks: the scripts `.auto/hooks/before.sh` and `after.sh`, or their older paths, which run before
// the measurement of a run and after its logging.
import { join } from 'node:path'
import { commandEnvironment } from '../../process/child-environment.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import { runCommandOnce, tailText } from '../measure/benchmark-execution.ts'
import { type LockedSession, recordEntry } from '../workspace/experiment-workspace.ts'
import { redactorFor } from '../workspace/holdout.ts'
import { changedSealedFiles, readLock, sealFolder } from '../workspace/integrity-lock.ts'

const timeoutMs = 30_000

/**
 * Runs the copy of the hook that was stored with the segment's lock, in the workspace and for at most 30
 * seconds. `facts` are further environment variables. Stores the output in the ledger, and returns it in a
 * list of one text for the next proposal. The list is empty without a hook, or if it succeeds without output.
 * A failing hook stops nothing.
 */
export async function runHook(
  session: LockedSession,
  hook: 'before' | 'after',
  facts: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { workspace } = session.experiment.where
  const { env, run, signal } = session.experiment.options
  const active = session.ledgerFile.folded.active
  if (!active) return []
  const script = await sealedHook(session.dir, active.lock, hook)
  if (script === undefined) return []
  const { segment } = active.config
  const redact = await redactorFor(session, active.config)
  const hookEnv = { ...commandEnvironment(env, []), ...facts, ANODE_HOOK: script }
  const stage = { run, signal, cwd: workspace, env: hookEnv, redact }
  const { outcome } = await runCommandOnce(stage, { command: 'exec bash "$ANODE_HOOK"', timeoutMs })
  const output = tailText(outcome.combined.text, 80, 8192)
  await recordEntry(session, {
    type: 'hook',
    segment,
    hook,
    exit: outcome.exit,
    output,
    timestamp: currentTimestamp(),
  })
  const failed = outcome.exit === 0 ? '' : ` (exit ${outcome.exit ?? outcome.ended})`
  return output === '' && failed === '' ? [] : [`hook ${hook}${failed}: ${output}`]
}

/**
 * Returns the path of the copy of the hook that the segment's lock contains, or undefined. Later changes of
 * the script in the workspace have no effect, and a changed copy is not used.
 */
async function sealedHook(dir: string, digest: string, hook: string): Promise<string | undefined> {
  const lock = await readLock(dir, digest)
  const changed = new Set(lock ? await changedSealedFiles(dir, digest) : [])
  for (const name of [`.auto/hooks/${hook}.sh`, `autoresearch.hooks/${hook}.sh`])
    if (lock && Object.hasOwn(lock.files, name) && !changed.has(name))
      return join(sealFolder(dir, digest), 'files', name)
  return undefined
}

// The check whether the benchmark itself printed a gain, for sessions in which other code can print metrics.
import type { GitRepository } from '../git/git-tree.ts'
import { runGit } from '../git/git-tree.ts'
import { expectedMetrics } from '../judge/segment-rules.ts'
import { activeSegment, type RunContext } from '../run/run-context.ts'
import { executeMarked } from './marked-run.ts'
import { findSpeakingLine } from './speech-scan.ts'

type VoiceOutcome = { ok: true } | { ok: false; detail: string }

/**
 * Searches the lines that the candidate added for code that can print metrics. Then executes the benchmark
 * with a secret mark, if it can print one. Returns the first problem in `detail`. Code that runs in the
 * benchmark's own process can evade both checks. `tree` is the candidate's tree.
 */
export async function checkVoice(context: RunContext, tree: string, slot: number): Promise<VoiceOutcome> {
  const { session, segment } = context
  const { config } = segment
  const args = ['diff', '--unified=0', '--no-renames', '--no-color', '--no-ext-diff', '--text']
  const diff = await runGit(session.repo as GitRepository, [...args, segment.best?.tree as string, tree])
  const spoken = findSpeakingLine(diff)
  if (spoken) return { ok: false, detail: `${spoken.path}:${spoken.line} ${spoken.does}` }
  if (!config.voice?.marked) return { ok: true }
  const expected = expectedMetrics(activeSegment(session))
  const locked = { ...config, lock: segment.lock }
  const executed = await executeMarked(session, locked, tree, slot, expected)
  if (executed?.sample) return { ok: true }
  const detail = executed?.detail ?? 'the run ended before the benchmark printed its metrics'
  return { ok: false, detail }
}

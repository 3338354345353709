// Verification of a session afterwards: its chain of hashes, copy, commits and locks. Values, effects and
// noise floors are computed again from the stored measurements.
import { readFile } from 'node:fs/promises'
import { UserError } from '../base/errors.ts'
import { describeResets } from '../base/text/judgment-text.ts'
import { type GitRepository, resolveCommit, runGit } from './git/git-tree.ts'
import type { RunLine } from './ledger/experiment-run.ts'
import type { ExperimentSegment } from './ledger/fold.ts'
import { ledgerCopyPath, ledgerPath, readLedgerFile } from './ledger/ledger-file.ts'
import { ranOtherCommand } from './ledger/run-line.ts'
import type { LedgerVerification } from './session.ts'
import { noiseFloor } from './stats/noise-floor.ts'
import { medianOf, pairDifferences } from './stats/statistics.ts'
import { type ExperimentWorkspace, noSessionError } from './workspace/experiment-workspace.ts'
import { changedSealedFiles, readLock } from './workspace/integrity-lock.ts'
import { findSession } from './workspace/session-location.ts'

/**
 * Checks the session without changes and returns the problems. A damaged ledger is a problem, not an error.
 * Throws FailureError `no_session` if the session does not exist.
 */
export async function verifySession(experiment: ExperimentWorkspace): Promise<LedgerVerification> {
  const dir = await findSession(experiment.where, experiment.options.session)
  if (dir === undefined) throw noSessionError()
  const problems: string[] = []
  const opened = await readLedgerFile(dir, experiment.where.workspace).catch((error: unknown) => {
    if (!(error instanceof UserError) || error.exit !== 5) throw error
    problems.push(error.message)
  })
  if (!opened) return { ok: false, lines: 0, problems }
  if (opened.ledger.torn.length > 0)
    problems.push(`${ledgerPath(dir)} ends in a torn line; \`resume\` sets it apart`)
  problems.push(...(await copyProblems(dir, experiment.where.workspace)))
  for (const segment of opened.folded.segments) {
    problems.push(...(await lockProblems(dir, segment)))
    problems.push(...segment.runs.flatMap((run) => statusProblems(segment, run)))
    if (experiment.where.repository)
      problems.push(
        ...(await commitProblems(
          { run: experiment.options.run, top: experiment.where.repository.top, scratch: dir },
          segment,
        )),
      )
  }
  return { ok: problems.length === 0, lines: opened.ledger.entries.length, problems }
}

async function copyProblems(dir: string, workspace: string): Promise<string[]> {
  const sealed = await readFile(ledgerPath(dir))
  const path = ledgerCopyPath(workspace)
  const copy = await readFile(path).catch(() => undefined)
  if (copy === undefined) return [`${path} is missing; the sealed ledger counts`]
  if (copy.equals(sealed)) return []
  const lines = (bytes: Buffer) => bytes.toString('latin1').split('\n')
  const a = lines(sealed)
  const b = lines(copy)
  const at = a.findIndex((line, i) => line !== b[i])
  return [`${path}:${at < 0 ? a.length : at + 1} differs from the sealed ledger, which counts`]
}

async function lockProblems(dir: string, { config, lock }: ExperimentSegment): Promise<string[]> {
  const problems: string[] = []
  for (const digest of new Set([config.lock, lock])) {
    const storedLock = await readLock(dir, digest)
    const resets = describeResets(config.segment)
    if (!storedLock)
      problems.push(`the lock of the experiment${resets && ` after ${resets}`} is gone or was changed`)
    else
      problems.push(
        ...(await changedSealedFiles(dir, digest)).map((file) => `the sealed copy of ${file} was changed`),
      )
  }
  return problems
}

/**
 * Returns the problems of a run's line: its status, value, effect and noise floor must follow from the
 * measurements in the same line.
 */
function statusProblems({ config, baseline }: ExperimentSegment, line: RunLine): string[] {
  const where = `run ${line.run}`
  const problems: string[] = []
  if (line.status === 'keep') {
    if (line.lock !== 'ok') problems.push(`${where} is kept with a broken lock`)
    if (line.checks !== undefined && line.checks !== 'ok')
      problems.push(`${where} is kept with failed checks`)
    if (line.metric === undefined) problems.push(`${where} is kept without a value`)
    if (config.gate.kind === 'paired') {
      if (line.evidence !== 'paired' || line.overridden || ranOtherCommand(line))
        problems.push(`${where} is kept without paired evidence`)
      if (line.reason !== 'gain' && line.reason !== 'deterministic')
        problems.push(`${where} is kept for the reason ${line.reason}`)
      if (line.guards?.some(({ ok }) => !ok)) problems.push(`${where} is kept with a failed guard`)
    }
  }
  const { samples, metric, effect } = line
  if (samples && metric !== undefined && !line.overridden) {
    const values = line.status === 'baseline' ? samples.base : samples.cand
    if (values.length > 0 && !isNear(medianOf(values), metric))
      problems.push(`${where}: the value is not that of its samples`)
  }
  if (samples && effect && effect.unit === undefined && samples.base.length === samples.cand.length) {
    const pairs = Math.min(effect.pairs, samples.base.length)
    const { d, scale } = pairDifferences(
      samples.base.slice(0, pairs),
      samples.cand.slice(0, pairs),
      config.bestDirection,
    )
    const s = config.bestDirection === 'lower' ? 1 : -1
    const pct = 100 * (scale === 'ratio' ? Math.exp(s * medianOf(d)) - 1 : s * medianOf(d))
    if (!isNear(pct, effect.pct)) problems.push(`${where}: the effect is not that of its samples`)
  }
  if (line.status === 'baseline' && baseline && samples && line.noise)
    if (!isNear(100 * noiseFloor(samples.base), line.noise.floor_pct))
      problems.push(`${where}: the noise floor is wrong`)
  return problems
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b))

async function commitProblems(repo: GitRepository, { runs }: ExperimentSegment): Promise<string[]> {
  const problems: string[] = []
  for (const { run, commit, status } of runs) {
    if (!commit || status !== 'keep') continue
    if ((await resolveCommit(repo, commit)) === undefined) {
      problems.push(`run ${run}: commit ${commit.slice(0, 12)} is not there`)
      continue
    }
    const message = await runGit(repo, ['show', '-s', '--format=%B', commit])
    const result = /^Result: (\{.*\})$/m.exec(message)?.[1]
    const recorded = result === undefined ? undefined : (JSON.parse(result) as { run?: number })
    if (recorded?.run !== run) problems.push(`run ${run}: commit ${commit.slice(0, 12)} does not speak of it`)
  }
  return problems
}

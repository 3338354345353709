// Checks afterwards that a ledger says what happened: chain, copy, commits, locks, and verdicts recomputed.
import { readFile } from 'node:fs/promises'
import { UserError } from '../base/errors.ts'
import { copyFile, ledgerFile, readBook } from './book.ts'
import { type Desk, noSession } from './desk.ts'
import type { Segment } from './fold.ts'
import type { RunLine } from './line.ts'
import { readLock, sealedHolds } from './seal.ts'
import type { Verified } from './session.ts'
import { differences, median, noiseFloor } from './stats.ts'
import { ask, resolveCommit, type Shelf } from './tree.ts'
import { findSession } from './where.ts'

/** Changes nothing. Throws FailureError `no_session`. */
export async function verify(desk: Desk): Promise<Verified> {
  const dir = await findSession(desk.where, desk.ground.session)
  if (dir === undefined) throw noSession()
  const problems: string[] = []
  const book = await readBook(dir, desk.where.workspace).catch((error: unknown) => {
    if (!(error instanceof UserError) || error.exit !== 5) throw error
    problems.push(error.message)
  })
  if (!book) return { ok: false, lines: 0, problems }
  if (book.ledger.torn.length > 0)
    problems.push(`${ledgerFile(dir)} ends in a torn line; \`resume\` sets it apart`)
  problems.push(...(await copyProblems(dir, desk.where.workspace)))
  for (const segment of book.folded.segments) {
    problems.push(...(await lockProblems(dir, segment)))
    problems.push(...segment.runs.flatMap((run) => statusProblems(segment, run)))
    if (desk.where.repository)
      problems.push(
        ...(await commitProblems(
          { run: desk.ground.run, top: desk.where.repository.top, scratch: dir },
          segment,
        )),
      )
  }
  return { ok: problems.length === 0, lines: book.ledger.entries.length, problems }
}

async function copyProblems(dir: string, workspace: string): Promise<string[]> {
  const sealed = await readFile(ledgerFile(dir))
  const path = copyFile(workspace)
  const copy = await readFile(path).catch(() => undefined)
  if (copy === undefined) return [`${path} is missing; the sealed ledger counts`]
  if (copy.equals(sealed)) return []
  const lines = (bytes: Buffer) => bytes.toString('latin1').split('\n')
  const [a, b] = [lines(sealed), lines(copy)]
  const at = a.findIndex((line, i) => line !== b[i])
  return [`${path}:${at < 0 ? a.length : at + 1} differs from the sealed ledger, which counts`]
}

async function lockProblems(dir: string, { config, lock }: Segment): Promise<string[]> {
  const problems: string[] = []
  for (const digest of new Set([config.lock, lock])) {
    const found = await readLock(dir, digest)
    if (!found) problems.push(`the lock of segment ${config.segment} is gone or was changed`)
    else
      problems.push(
        ...(await sealedHolds(dir, digest)).map((file) => `the sealed copy of ${file} was changed`),
      )
  }
  return problems
}

/** What a line claims must follow from what the same line says was measured. */
function statusProblems({ config, baseline }: Segment, line: RunLine): string[] {
  const where = `run ${line.run}`
  const problems: string[] = []
  if (line.status === 'keep') {
    if (line.lock !== 'ok') problems.push(`${where} is kept with a broken lock`)
    if (line.checks !== undefined && line.checks !== 'ok')
      problems.push(`${where} is kept with failed checks`)
    if (line.metric === undefined) problems.push(`${where} is kept without a value`)
    if (config.gate.kind === 'paired') {
      if (line.evidence !== 'paired' || line.overridden || line.command_override !== undefined)
        problems.push(`${where} is kept without paired evidence`)
      if (line.reason !== 'gain' && line.reason !== 'deterministic')
        problems.push(`${where} is kept for the reason ${line.reason}`)
      if (line.guards?.some(({ ok }) => !ok)) problems.push(`${where} is kept with a failed guard`)
    }
  }
  const { samples, metric, effect } = line
  if (samples && metric !== undefined && !line.overridden) {
    const values = line.status === 'baseline' ? samples.base : samples.cand
    if (values.length > 0 && !near(median(values), metric))
      problems.push(`${where}: the value is not that of its samples`)
  }
  if (samples && effect && effect.unit === undefined && samples.base.length === samples.cand.length) {
    const pairs = Math.min(effect.pairs, samples.base.length)
    const { d, scale } = differences(
      samples.base.slice(0, pairs),
      samples.cand.slice(0, pairs),
      config.bestDirection,
    )
    const s = config.bestDirection === 'lower' ? 1 : -1
    const pct = 100 * (scale === 'ratio' ? Math.exp(s * median(d)) - 1 : s * median(d))
    if (!near(pct, effect.pct)) problems.push(`${where}: the effect is not that of its samples`)
  }
  if (line.status === 'baseline' && baseline && samples && line.noise)
    if (!near(100 * noiseFloor(samples.base), line.noise.floor_pct))
      problems.push(`${where}: the noise floor is wrong`)
  return problems
}

const near = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b))

async function commitProblems(shelf: Shelf, { runs }: Segment): Promise<string[]> {
  const problems: string[] = []
  for (const { run, commit, status } of runs) {
    if (!commit || status !== 'keep') continue
    if ((await resolveCommit(shelf, commit)) === undefined) {
      problems.push(`run ${run}: commit ${commit.slice(0, 12)} is not there`)
      continue
    }
    const message = await ask(shelf, ['show', '-s', '--format=%B', commit])
    const result = /^Result: (\{.*\})$/m.exec(message)?.[1]
    const said = result === undefined ? undefined : (JSON.parse(result) as { run?: number })
    if (said?.run !== run) problems.push(`run ${run}: commit ${commit.slice(0, 12)} does not speak of it`)
  }
  return problems
}

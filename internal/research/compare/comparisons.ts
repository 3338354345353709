// Comparisons of a workspace: measured in rounds, judged after certain numbers of rounds, stored, listed.
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { GitRepository } from '../git/git-tree.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import { openMeasurementCheckout } from '../measure/benchmark-checkout.ts'
import { requireCarried } from '../measure/carried-paths.ts'
import { closedNotes } from '../measure/closed-places.ts'
import { describeIsolation } from '../measure/isolation/isolation.ts'
import type { ResearchOptions } from '../session.ts'
import {
  type ExperimentWorkspace,
  type LockedSession,
  openExperimentWorkspace,
  withSession,
} from '../workspace/experiment-workspace.ts'
import type { ComparisonOrder, ComparisonRecord, ComparisonSide } from './comparison.ts'
import { findSharedChanges, openStoredBuild, sealBenchmark, withSideErrors } from './comparison-benchmark.ts'
import { type MeasuredComparison, measureComparison } from './comparison-rounds.ts'
import { resolveSides } from './comparison-sides.ts'

export interface ComparisonService {
  /**
   * Measures both sides, or stores `same` at once if they need no measurement. Throws UserError (exit 2)
   * for a side that cannot be found, and (exit 130) after an interrupt. Throws FailureError `run_failed`
   * for a side that cannot be measured, `lock_violation` for a forbidden change, such as of a file of
   * the benchmark, and `busy` during a comparison by another process. `begun` gets the id of the
   * comparison at once.
   */
  compare(order: ComparisonOrder, begun?: (id: string) => void): Promise<ComparisonRecord>
  /** Returns the stored comparisons of this workspace, latest first. */
  list(): Promise<ComparisonRecord[]>
}

/** Opens the comparisons of a workspace. Takes no lock before `compare`. */
export async function openComparisons(options: ResearchOptions): Promise<ComparisonService> {
  const nothing = { recovered: 'nothing' as const, worktree_clean: true, notes: [] }
  const experiment = await openExperimentWorkspace(options, async () => nothing)
  // A session never gets this name, because `slugName` allows no underscore.
  const dir = join(experiment.where.home, '_compare')
  return {
    compare(order, onBegin) {
      const id = randomBytes(4).toString('hex')
      onBegin?.(id)
      return withSession(experiment, dir, (session) => {
        const carry = requireCarried(experiment.where.workspace, order.carry)
        return compareIn(experiment, session, { ...order, id, carry })
      })
    },
    list: () => readRecords(dir),
  }
}

async function compareIn(
  experiment: ExperimentWorkspace,
  session: LockedSession,
  order: ComparisonOrder & { id: string },
): Promise<ComparisonRecord> {
  const sides = await resolveSides(session, order)
  const { config, sealed } = await sealBenchmark(session, order, sides)
  const prefix = experiment.where.repository?.prefix ?? ''
  const repo = session.repo as GitRepository
  const shared = await findSharedChanges(repo, sides, sealed, prefix)
  if (shared) return storeRecord(session, toUnmeasuredRecord(order, sides, sealed, shared))
  const measured = await withSideErrors(sides, order.build, async () => {
    const open = (tree: string, slot: number) =>
      openMeasurementCheckout(session, config, tree, slot, undefined, (stage) =>
        openStoredBuild(session, config, tree, stage),
      )
    const checkouts = { base: await open(sides.base.tree, 0), head: await open(sides.head.tree, 1) }
    const support = await session.isolation(config)
    const lacking = support.kind === 'none' ? support.why : undefined
    const comparison = await measureComparison(experiment, checkouts, order, lacking)
    return { ...comparison, isolation: describeIsolation(support) }
  })
  const notes = [...measured.notes, ...closedNotes(session)]
  return storeRecord(session, { ...recordOf(order, sides, sealed), ...measured, measured: true, notes })
}

type MeasuredFields = Omit<MeasuredComparison, 'notes'>

function recordOf(
  { id, command, build }: ComparisonOrder & { id: string },
  { base, head }: { base: ComparisonSide; head: ComparisonSide },
  sealed: string[],
): Omit<ComparisonRecord, keyof MeasuredFields | 'measured' | 'notes'> {
  return { v: 1, id, timestamp: currentTimestamp(), base, head, command, build, sealed }
}

/**
 * Returns the record of a comparison that needed no measurement, because both sides have the same files or
 * differ only in the files `changed` of the benchmark, which they share.
 */
function toUnmeasuredRecord(
  order: ComparisonOrder & { id: string },
  sides: { base: ComparisonSide; head: ComparisonSide },
  sealed: string[],
  changed: readonly string[],
): ComparisonRecord {
  const isSame = sides.base.tree === sides.head.tree
  const side = order.benchFrom === 'head' ? 'HEAD' : 'BASE'
  const note = isSame
    ? 'both sides have the same files'
    : `the sides differ only in ${changed.join(', ')}, which the command names ` +
      `and which ${changed.length === 1 ? 'comes' : 'come'} from ${side} for both; ` +
      '--bench-from each measures each side with its own'
  const nothing = { verdict: 'same' as const, metrics: [], rounds: 0, executions: 0, seconds: 0 }
  return { ...recordOf(order, sides, sealed), ...nothing, measured: false, notes: [note] }
}

const recordsIn = (dir: string) => join(dir, 'results')

async function storeRecord(session: LockedSession, record: ComparisonRecord): Promise<ComparisonRecord> {
  const folder = recordsIn(session.dir)
  makeDirectory(folder, 0o700)
  const text = `${JSON.stringify(record)}\n`
  await writeAtomic(join(folder, `${record.id}.json`), Buffer.from(text), { mode: 0o600 })
  return record
}

async function readRecords(dir: string): Promise<ComparisonRecord[]> {
  const names = (await readdir(recordsIn(dir)).catch(ignoreCodes('ENOENT'))) ?? []
  const texts = await Promise.all(
    names
      .filter((name) => /^[0-9a-f]{8}\.json$/.test(name))
      .map((name) => readFile(join(recordsIn(dir), name), 'utf8')),
  )
  const records = texts.map((text) => JSON.parse(text) as ComparisonRecord)
  return records.sort((a, b) => b.timestamp.localeCompare(a.timestamp))
}

/**
 * Returns the stored comparison with this id. Throws FailureError `not_found` with the command that
 * lists all comparisons.
 */
export function findComparison(records: readonly ComparisonRecord[], id: string): ComparisonRecord {
  const match = records.find((record) => record.id === id)
  if (match) return match
  throw new FailureError({
    code: 'not_found',
    message: `comparison "${id}" not found`,
    hint: 'List them: anode research compare list',
  })
}

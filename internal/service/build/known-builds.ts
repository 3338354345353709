// Builds that this machine knows. A name finds one, and its state is computed from its journal,
// the stored log.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { makeBuildEntry } from '../../build/entries.ts'
import { advanceBuildState, type BuildState, beginBuildState, foldBuild } from '../../build/state.ts'
import { type BuildSummary, summarizeBuild } from '../../build/summary.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { listJournalLines, readJournalLines } from '../../store/journal/lines.ts'
import { type LocalJournal, openJournal } from '../../store/journal/sqlite.ts'
import { releaseDeadLeases } from '../study/backend.ts'
import { findLeader } from './build-leader.ts'

interface BuildPlace {
  cwd: string
  env: EnvironmentVariables
}

interface FoundBuild {
  readonly journal: LocalJournal
  readonly id: string
  state(): Promise<BuildState>
  /** Returns whether a process leads the build. */
  isLed(): Promise<boolean>
}

/**
 * Opens the database for `use`. `name` is an ID, a unique prefix, or `last` for the latest build of this
 * workspace. Throws UserError for an unknown or ambiguous name.
 */
export async function withBuild<T>(
  name: string,
  { cwd, env }: BuildPlace,
  use: (found: FoundBuild) => Promise<T>,
): Promise<T> {
  const dir = dataDir(env)
  if (!existsSync(join(dir, 'anode.db'))) throw unknownBuild(name)
  const journal = await openJournal(dir)
  try {
    const [build, other] = journal.builds.find(name, realpathSync(cwd))
    if (!build) throw unknownBuild(name)
    if (other)
      throw new UserError(`more than one build is named ${name}`, { hint: `${build.id}, ${other.id}` })
    const { id } = build
    return await use({
      journal,
      id,
      state: async () => foldBuild(await listJournalLines(journal, id)),
      isLed: () => isBuildLed(journal, id),
    })
  } finally {
    await journal.close()
  }
}

function unknownBuild(name: string): UserError {
  if (name === 'last')
    return new UserError('no build in this workspace yet', {
      hint: 'anode build --plan plan.yaml starts one',
    })
  return new UserError(`unknown build "${name}"`, { hint: '`anode build list` lists them' })
}

async function isBuildLed(journal: LocalJournal, id: string): Promise<boolean> {
  await releaseDeadLeases(journal, id)
  return (await findLeader(journal, id)) !== undefined
}

/** Returns at most `limit` builds of a workspace, or of all, newest first. Dropped builds are excluded. */
export async function listBuilds(
  { cwd, env }: BuildPlace,
  { everywhere, limit }: { everywhere: boolean; limit: number },
): Promise<BuildSummary[]> {
  const dir = dataDir(env)
  if (!existsSync(join(dir, 'anode.db'))) return []
  const journal = await openJournal(dir)
  try {
    const project = everywhere ? undefined : realpathSync(cwd)
    const builds: BuildSummary[] = []
    for (const { id } of journal.builds.list(project === undefined ? {} : { project })) {
      if (builds.length >= limit) break
      const state = foldBuild(await listJournalLines(journal, id))
      if (!state.isDropped) builds.push(summarizeBuild(state, await isBuildLed(journal, id)))
    }
    return builds
  } finally {
    await journal.close()
  }
}

/** Returns the summary of one build. Throws UserError for an unknown or ambiguous name. */
export const readBuild = (name: string, place: BuildPlace): Promise<BuildSummary> =>
  withBuild(name, place, async ({ state, isLed }) => summarizeBuild(await state(), await isLed()))

/**
 * Cancels a build. The process that leads it ends it soon; without such a process, it ends at once.
 * `cancelled` is false if the build had ended before. Throws UserError for an unknown or ambiguous name.
 */
export function cancelBuild(name: string, place: BuildPlace): Promise<{ id: string; cancelled: boolean }> {
  return withBuild(name, place, async ({ journal, id, state, isLed }) => {
    if ((await state()).end !== undefined) return { id, cancelled: false }
    const lines = [makeBuildEntry('cancel', {})]
    if (!(await isLed())) lines.push(makeBuildEntry('build.ended', { end: 'cancelled', detail: '' }))
    await journal.append(id, lines)
    return { id, cancelled: true }
  })
}

/**
 * Calls `show` for each line of the journal, with the state after it, until the build has ended, no
 * process leads it, or `signal` aborts. Returns the summary at that time. Throws UserError for an unknown
 * or ambiguous name.
 */
export function followBuild(
  name: string,
  { signal, ...place }: BuildPlace & { signal: AbortSignal },
  show: (line: JournalLine, state: BuildState) => void,
): Promise<BuildSummary> {
  return withBuild(name, place, async ({ journal, id, isLed }) => {
    let state: BuildState | undefined
    while (true) {
      const isActive = await isLed()
      for await (const line of readJournalLines(journal, id, state?.seq)) {
        if (state) advanceBuildState(state, line)
        else state = beginBuildState(line)
        show(line, state)
      }
      if (state && (state.end !== undefined || !isActive || signal.aborted))
        return summarizeBuild(state, isActive)
      await journal.wait(id, state?.seq ?? 0, 500, signal)
    }
  })
}

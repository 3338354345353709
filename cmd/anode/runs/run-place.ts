// The path of the program that the background processes of runs execute, and the lookup of a run by name.
import { realpathSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import type { RunSummary } from '../../../internal/server/run-summary.ts'
import { listRuns, type RunPlace } from '../../../internal/service/runs/run-access.ts'
import { shortId } from '../threads/thread-access.ts'
import type { CommandIo } from '../verb.ts'

/**
 * Returns the environment and the program for the processes of runs. They execute the same program
 * as this process.
 */
export function runPlace({ env }: CommandIo): RunPlace {
  return { env, program: realpathSync(process.argv[1] as string) }
}

/**
 * Returns the run with this id or unique prefix of one, also without `sess_`; undefined if none of the latest
 * 200 runs has it. `last` means the latest run of this workspace, or else of any workspace. Throws UserError
 * for an ambiguous prefix.
 */
export async function findRun(name: string, { env, cwd }: CommandIo): Promise<RunSummary | undefined> {
  const all = await listRuns(env)
  const here = realpathSync(cwd)
  if (name === 'last')
    return all.find(({ workspace, worktree }) => workspace === here || worktree?.origin === here) ?? all[0]
  const matches = all.filter(({ thread }) => thread.startsWith(name) || thread.startsWith(`sess_${name}`))
  if (matches.length < 2) return matches[0]
  throw new UserError(`more than one run is named ${name}`, {
    hint: `it could be ${matches
      .slice(0, 4)
      .map(({ thread }) => thread)
      .join(', ')}`,
  })
}

export const nameRun = ({ thread }: RunSummary, all: readonly RunSummary[]): string =>
  shortId(
    thread,
    all.map((run) => run.thread),
  )

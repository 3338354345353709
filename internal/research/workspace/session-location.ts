// Location of a session: workspace, repository, and its directory in the data directory.
import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { FailureError, UserError } from '../../base/errors.ts'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { gitFailure, runHardenedGit } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { sessionHomeOf, slugName } from './session-home.ts'

export interface RepositoryPaths {
  /** Real path of the top of the checkout. */
  top: string
  /** Path of the workspace below it, `''` or ending in a slash. */
  prefix: string
  /** Directory of this checkout's index and HEAD. */
  gitDir: string
  /** Directory of objects, refs, configuration and hooks. */
  commonDir: string
}

/** A checkout in which candidates are created. */
export interface CandidateCheckout {
  top: string
  gitDir: string
  where: 'workspace' | 'worktree'
  /** Path of the worktree of a candidate. */
  path?: string
}

export interface SessionLocation {
  workspace: string
  /** Paths of the repository; undefined outside of git. */
  repository?: RepositoryPaths
  /** Directory of the sessions of this repository: `<data>/research/<repo id>`. */
  home: string
  /** Lock for everything on this machine that is timed. */
  timing: string
}

/**
 * Returns the location. Throws UserError (exit 2) for a bare repository, FailureError `not_found` if the
 * directory does not exist.
 */
export async function locateSession(options: {
  cwd: string
  data: string
  run: RunCommand
  signal?: AbortSignal
}): Promise<SessionLocation> {
  const workspace = await realpath(options.cwd).catch(() => {
    throw new FailureError({ code: 'not_found', message: `no such directory: ${options.cwd}` })
  })
  const repository = await repositoryOf(options, workspace)
  return {
    workspace,
    repository,
    home: sessionHomeOf(options.data, workspace),
    timing: resolve(options.data, 'research', 'timing.lock'),
  }
}

async function repositoryOf(
  { run, signal }: { run: RunCommand; signal?: AbortSignal },
  workspace: string,
): Promise<RepositoryPaths | undefined> {
  const questions = [
    'rev-parse',
    '--is-bare-repository',
    '--is-inside-work-tree',
    '--show-toplevel',
    '--absolute-git-dir',
    '--path-format=absolute',
    '--git-common-dir',
  ]
  const outcome = await runHardenedGit(run, workspace, questions, signal && { signal }).catch(
    (error: unknown) => {
      // git is not installed
      if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
      throw error
    },
  )
  if (outcome?.ended !== undefined) throw gitFailure('rev-parse', outcome)
  // outside of a work tree git stops at the third question, with the first two answered
  const [bare, inside, ...found] = outcome?.stdout.text.split('\n') ?? []
  if (!outcome || inside === undefined) return undefined
  if (inside !== 'true') {
    const hint = 'Run it in a checkout of the repository.'
    throw new UserError(`${workspace} is ${bare === 'true' ? 'a bare repository' : 'inside a .git folder'}`, {
      hint,
    })
  }
  if (outcome.exit !== 0) return undefined
  const [top = '', gitDir = '', commonDir = ''] = await Promise.all(
    found.slice(0, 3).map((path) => realpath(path)),
  )
  const below = relative(top, workspace)
  return { top, gitDir, commonDir, prefix: below === '' ? '' : `${below}/` }
}

/** Returns the file that names the active session. */
export const activeSessionFile = (where: SessionLocation): string => join(where.home, 'active')

/** Returns the directory of the named session, else of the active one, or undefined. */
export async function findSession(
  where: SessionLocation,
  name: string | undefined,
): Promise<string | undefined> {
  const wanted = name === undefined ? await readIfPresent(activeSessionFile(where)) : slugName(name)
  if (wanted === undefined || wanted.trim() === '') return undefined
  const known = await readdir(where.home).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  return known?.includes(wanted.trim()) ? join(where.home, wanted.trim()) : undefined
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreCodes('ENOENT', 'ENOTDIR'))
}

// Where a session is: its workspace, its repository, and its directory in the data directory.
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
  /** Path from the top of the checkout to the workspace: `''`, or a path that ends in a slash. */
  prefix: string
  /** Git directory of this checkout, with its index and HEAD. */
  gitDir: string
  /** Git directory that all checkouts share, with objects, refs, configuration and hooks. */
  commonDir: string
}

/** A checkout that contains a candidate: the user's, or a worktree. */
export interface CandidateCheckout {
  top: string
  gitDir: string
  where: 'workspace' | 'worktree'
  /** Directory of the worktree that corresponds to the workspace; undefined in the user's checkout. */
  path?: string
}

export interface SessionLocation {
  workspace: string
  /** Paths of the git repository; undefined if the workspace is not in one. */
  repository?: RepositoryPaths
  /** Directory of the sessions of this workspace: `<data>/research/<name>-<checksum>`. */
  home: string
  /** Path of the lock for timing, which only one measurement with this data directory has at a time. */
  timing: string
}

/**
 * Returns the location. Throws UserError (exit 2) for a bare repository or a directory inside `.git`,
 * FailureError `not_found` if the directory does not exist.
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
      // Git is not installed, so the workspace counts as having no repository.
      if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
      throw error
    },
  )
  if (outcome?.ended !== undefined) throw gitFailure('rev-parse', outcome)
  // One start of git prints several values, one per line. Outside of a work tree it prints the first two
  // and then fails.
  const [bare, inside, ...gitPaths] = outcome?.stdout.text.split('\n') ?? []
  if (!outcome || inside === undefined) return undefined
  if (inside !== 'true') {
    const hint = 'Run it in a checkout of the repository.'
    throw new UserError(`${workspace} is ${bare === 'true' ? 'a bare repository' : 'inside a .git folder'}`, {
      hint,
    })
  }
  if (outcome.exit !== 0) return undefined
  const [top = '', gitDir = '', commonDir = ''] = await Promise.all(
    gitPaths.slice(0, 3).map((path) => realpath(path)),
  )
  const below = relative(top, workspace)
  return { top, gitDir, commonDir, prefix: below === '' ? '' : `${below}/` }
}

/** Returns the path of the file that contains the name of the active session. */
export const activeSessionFile = (where: SessionLocation): string => join(where.home, 'active')

/**
 * Returns the directory of the session `name`, or of the active session if `name` is undefined. Returns
 * undefined if that session does not exist.
 */
export async function findSession(
  where: SessionLocation,
  name: string | undefined,
): Promise<string | undefined> {
  const sessionName = name === undefined ? await readIfPresent(activeSessionFile(where)) : slugName(name)
  if (sessionName === undefined || sessionName.trim() === '') return undefined
  const sessionFolders = await readdir(where.home).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  return sessionFolders?.includes(sessionName.trim()) ? join(where.home, sessionName.trim()) : undefined
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreCodes('ENOENT', 'ENOTDIR'))
}

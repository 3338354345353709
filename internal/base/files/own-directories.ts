// Errors of Anode's own directories: which one failed, and how the user can fix it.
import { relative, resolve } from 'node:path'
import { cacheDir, configDir, dataDir, leadsOutside } from '../dirs.ts'
import type { EnvironmentVariables } from '../environment.ts'
import { codeOf, messageOf, UserError } from '../errors.ts'

/** Reasons why a directory cannot be used, by the system's error code, for any operation. */
const unusable: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its path is too long',
  EIO: 'the disk fails',
}
/** Reasons why a directory cannot be created, by the system's error code. */
const unmakable: Readonly<Record<string, string>> = {
  EEXIST: 'a part of its path is a file',
  ENOENT: 'nothing can be made there',
}
const full = new Set(['ENOSPC', 'EDQUOT'])

/** Returns the error to throw for a data directory that cannot be used because of `cause`; exit code 2. */
export function makeDataDirectoryError(dir: string, cause: unknown): UserError {
  return makeError({ what: 'data', dir, hint: 'name another directory in ANODE_DATA_DIR' }, cause)
}

/**
 * Returns a UserError if `error` or one of its causes is a system error about a path in one of Anode's
 * directories: the disk is full (exit code 1), or the directory cannot be used or created (2). Returns
 * undefined for every other error.
 */
export function explainOwnDirectory(error: unknown, env: EnvironmentVariables): UserError | undefined {
  if (!(error instanceof Error) || error instanceof UserError) return undefined
  const { path, syscall } = error as NodeJS.ErrnoException
  const code = codeOf(error) ?? ''
  // mkdir may also have failed at a parent of the directory
  const isAbout = ({ dir }: OwnDirectory) =>
    path !== undefined && (isWithin(dir, path) || (syscall === 'mkdir' && isWithin(path, dir)))
  const place = ownDirectories(env).find(isAbout)
  if (place === undefined) return explainOwnDirectory(error.cause, env)
  if (full.has(code)) {
    const hint = 'Free some space, and try again.'
    return new UserError(`no space is left for the ${place.what} directory: ${place.dir}`, {
      hint,
      exit: 1,
      cause: error,
    })
  }
  if (code in unusable || (code in unmakable && syscall === 'mkdir')) return makeError(place, error)
  return undefined
}

interface OwnDirectory {
  what: 'data' | 'configuration' | 'cache'
  dir: string
  /** How to select another directory. */
  hint: string
}

const ownDirectories = (env: EnvironmentVariables): OwnDirectory[] => [
  { what: 'data', dir: dataDir(env), hint: 'name another directory in ANODE_DATA_DIR' },
  { what: 'configuration', dir: configDir(env), hint: 'name another directory in XDG_CONFIG_HOME' },
  { what: 'cache', dir: cacheDir(env), hint: 'name another directory in XDG_CACHE_HOME' },
]

function makeError({ what, dir, hint }: OwnDirectory, cause: unknown): UserError {
  const why = { ...unusable, ...unmakable }[codeOf(cause) ?? ''] ?? messageOf(cause)
  return new UserError(`the ${what} directory cannot be used: ${dir}: ${why}`, {
    hint: `Make it writable, or ${hint}.`,
    cause,
  })
}

const isWithin = (dir: string, path: string) => !leadsOutside(relative(resolve(dir), resolve(path)))

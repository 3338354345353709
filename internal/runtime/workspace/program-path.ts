// The program's PATH without directories that other users or an untrusted workspace can write.
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { configDir, dataDir, homeDir } from '../../base/dirs.ts'
import { codeOf } from '../../base/errors.ts'
import { isWithin } from '../../policy/paths/path-jail.ts'
import { isTrusted } from '../../trust/is-trusted.ts'

interface DroppedDirectory {
  path: string
  why: string
}

let dropped: readonly DroppedDirectory[] = []

/** Returns the entries that `cleanProgramPath` removed in this process. */
export const droppedPathEntries = (): readonly DroppedDirectory[] => dropped

/** Removes the entries of `env.PATH` that may not supply programs to a session in `cwd`, and returns them. */
export async function cleanProgramPath(
  env: Record<string, string | undefined>,
  cwd: string,
): Promise<readonly DroppedDirectory[]> {
  const untrusted = await listUntrustedRoots(env, cwd)
  const removed: DroppedDirectory[] = []
  const keptPaths = (env.PATH ?? '').split(':').filter((path) => {
    const why = refusePathEntry(path, untrusted)
    if (why !== undefined) removed.push({ path, why })
    return why === undefined
  })
  if (removed.length > 0) env.PATH = keptPaths.join(':')
  dropped = [...dropped, ...removed]
  return removed
}

/**
 * Returns the workspace and the repositories around it; empty if the workspace is trusted. A directory that
 * contains the home directory is excluded.
 */
async function listUntrustedRoots(env: Record<string, string | undefined>, cwd: string): Promise<string[]> {
  const workspace = realOf(cwd)
  try {
    if (await isTrusted(workspace, dataDir(env), configDir(env))) return []
  } catch {
    // if the record of trust cannot be read, the workspace is not trusted; a later command reports the error
  }
  const roots = [workspace]
  for (let dir = workspace; dirname(dir) !== dir; dir = dirname(dir))
    if (existsSync(join(dir, '.git'))) roots.push(dir)
  const home = realOf(homeDir())
  return roots.filter((root) => !isWithin(home, root))
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Returns the reason why programs may not come from a directory, or undefined if they may. */
function refusePathEntry(path: string, untrusted: readonly string[]): string | undefined {
  if (!isAbsolute(path)) return 'the path is relative'
  try {
    const real = realpathSync(path)
    const root = untrusted.find((dir) => isWithin(real, dir) || isWithin(path, dir))
    if (root !== undefined) return `it is in ${root}, which is not trusted`
    accessSync(real, constants.X_OK)
    return refuseOwner(real)
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
    const root = untrusted.find((dir) => isWithin(path, dir))
    if (root !== undefined) return `it is in ${root}, which is not trusted`
    // a missing directory stays, because programs may be installed there later, and the next start checks
    // its owner again
    return isMissing ? undefined : 'it cannot be entered'
  }
}

const everybody = 0o002
const sticky = 0o1000

function refuseOwner(real: string): string | undefined {
  const { mode, uid } = statSync(real)
  if ((mode & everybody) !== 0) return 'everybody can write to it'
  if (!isTrustedOwner(uid)) return `it belongs to another user (${uid})`
  for (let dir = dirname(real); dir !== dirname(dir); dir = dirname(dir)) {
    const parent = statSync(dir)
    if ((parent.mode & everybody) !== 0 && (parent.mode & sticky) === 0)
      return `everybody can write to ${dir}`
    if (!isTrustedOwner(parent.uid)) return `${dir} belongs to another user (${parent.uid})`
  }
  return undefined
}

/** User id that the kernel shows in a user namespace for every user that the namespace does not know. */
const overflowId = 65_534

const isTrustedOwner = (uid: number): boolean =>
  uid === 0 || uid === process.getuid?.() || (uid === overflowId && !isRootMapped())

/** Returns whether the user namespace of this process maps the user root; true if that is not known. */
function isRootMapped(): boolean {
  try {
    return /^\s*0\s/m.test(readFileSync('/proc/self/uid_map', 'utf8'))
  } catch {
    return true
  }
}

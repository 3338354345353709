// Bubblewrap's words for a wall: namespaces, mounts and the command. Pure.
import type { SpawnPlan } from '../process/process-command.ts'
import { sealedLeaves, type WallMount } from './wall-mounts.ts'

export interface BubblewrapProgram {
  /** Absolute path of bwrap. */
  path: string
  /** It can keep what it starts from making namespaces of its own (0.8 and later). */
  locksNamespaces: boolean
}

/** File descriptor on which bubblewrap says how far it came. */
const statusFd = '3'

/** File descriptor from which bubblewrap reads the filter of system calls; the start hands it down. */
export const filterFd = 4

interface WrapOptions {
  keepsTerminal?: boolean | undefined
  /** Descriptor of the filter of system calls. */
  filter?: number | undefined
  /** The user owns the settings of the kernel. Default: whether this process runs as user 0. */
  ownsKernelSettings?: boolean
  /** Words that take it into the network of other commands; without them it gets a network of its own. */
  entry?: readonly string[] | undefined
}

/**
 * User 0 owns these in a namespace as well, and they hold for the whole machine. Bubblewrap itself shows
 * /proc/irq and /proc/bus read-only.
 */
const kernelSettings = ['/proc/sys', '/proc/sysrq-trigger', '/proc/fs']

const words: Readonly<Record<WallMount['kind'], (path: string, source: string) => string[]>> = {
  empty: (path) => ['--tmpfs', path],
  mask: (path) => ['--ro-bind', '/dev/null', path],
  // other programs may take away what was there a moment ago: then there is nothing to lock
  read: (path) => ['--ro-bind-try', path, path],
  write: (path) => ['--bind', path, path],
  seal: (path) => ['--remount-ro', path],
  private: (path, source) => ['--bind', source, path],
  fixed: (path, source) => ['--ro-bind', source, path],
  link: (path, source) => ['--symlink', source, path],
  // cheaper than a bind: bubblewrap reads the table of mounts again after each of those
  stub: (path) => ['--perms', '0555', '--tmpfs', path],
}

/**
 * The start of a command in the sandbox. A command keeps only a terminal
 * that is its own: into any other it could type.
 */
export function wrapInBubblewrap(
  { path, locksNamespaces }: BubblewrapProgram,
  plan: SpawnPlan,
  mounts: readonly WallMount[],
  { keepsTerminal = false, filter, entry, ownsKernelSettings = process.getuid?.() === 0 }: WrapOptions = {},
): SpawnPlan {
  const own = ['user', 'pid', 'ipc', ...(entry ? [] : ['net']), 'uts']
  const namespaces = own.map((name) => `--unshare-${name}`)
  // laid over what is there already, the root would hide the new /dev and /proc
  const root = mounts.find((mount) => mount.path === '/')
  const laid = layCheaply(mounts.filter((mount) => mount !== root))
  const args = [
    ...namespaces,
    ...(locksNamespaces ? ['--disable-userns'] : []),
    '--die-with-parent',
    ...(keepsTerminal ? [] : ['--new-session']),
    ...['--cap-drop', 'ALL', '--json-status-fd', statusFd],
    ...(filter === undefined ? [] : ['--seccomp', String(filter)]),
    ...[root?.kind === 'write' ? '--bind' : '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...(ownsKernelSettings ? kernelSettings.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    ...laid.flatMap((mount) => words[mount.kind](mount.path, 'source' in mount ? mount.source : mount.path)),
    ...['--chdir', plan.cwd, '--', plan.file, ...plan.args],
  ]
  const [file = path, ...before] = entry ?? []
  return { file, args: entry ? [...before, path, ...args] : args, cwd: '/', env: plan.env }
}

/**
 * The same places with fewer reads of the table of mounts: bubblewrap reads it for each bind and each seal.
 * Stubs come last, since nothing is laid in them, and an empty directory that nothing is laid in gets
 * permissions instead of a seal.
 */
function layCheaply(mounts: readonly WallMount[]): WallMount[] {
  const leaves = sealedLeaves(mounts)
  const others = mounts.flatMap((mount): WallMount[] => {
    if (mount.kind === 'stub' || (mount.kind === 'seal' && leaves.has(mount.path))) return []
    return [mount.kind === 'empty' && leaves.has(mount.path) ? { ...mount, kind: 'stub' } : mount]
  })
  return [...others, ...mounts.filter(({ kind }) => kind === 'stub')]
}

/**
 * Whether a build failed because another program removed or unmounted a path meanwhile: the next one can
 * succeed.
 */
export const hasVanished = (errors: string): boolean =>
  /No such file|Can't (?:find source|mkdir|create file)/.test(errors) ||
  /Unable to (?:find|apply mount flags|remount)/.test(errors)

/** How often a build that fails so is started. */
export const maxBuilds = 6

/** How a wall ended, by what it wrote to its descriptor. */
type WallEnd = { kind: 'finished' } | { kind: 'not built'; why: string } | { kind: 'broken' }

/**
 * `finished` where the command's own end is on record. Without one the wall was never whole, in which case
 * its own complaint stands on standard error, or it was ended from outside while the command ran.
 */
export function readWallEnd(status: string, errors: string): WallEnd {
  if (status.includes('"exit-code"')) return { kind: 'finished' }
  const complaint = errors.split('\n').findLast((line) => line.startsWith('bwrap: '))
  return complaint === undefined ? { kind: 'broken' } : { kind: 'not built', why: complaint }
}

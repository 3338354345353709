// The bubblewrap arguments of a sandbox: namespaces, mounts and the command.
import type { SpawnPlan } from '../process/process-command.ts'
import { type SandboxMount, sealedLeaves } from './sandbox-mounts.ts'

export interface BubblewrapProgram {
  /** Absolute path of bwrap. */
  path: string
  /** True if bubblewrap has to forbid new namespaces inside the sandbox, which it can from version 0.8 on. */
  locksNamespaces: boolean
}

/** File descriptor on which bubblewrap reports its progress. */
const statusFd = '3'

/**
 * File descriptor from which bubblewrap reads the filter of system calls. The caller has to open the file
 * on this descriptor.
 */
export const filterFd = 4

interface WrapOptions {
  keepsTerminal?: boolean | undefined
  /** Descriptor from which bubblewrap reads the filter of system calls. */
  filter?: number | undefined
  /**
   * True if the command could change settings of the kernel, which are then mounted read-only. Default: true
   * if this process runs as user 0.
   */
  ownsKernelSettings?: boolean
  /**
   * Program and arguments that put the command into the network namespace that other commands share. Default:
   * the command gets a separate network.
   */
  entry?: readonly string[] | undefined
}

/**
 * Paths of kernel settings of the whole machine, which user 0 could change even in a namespace. Bubblewrap
 * itself makes /proc/irq and /proc/bus read-only.
 */
const kernelSettings = ['/proc/sys', '/proc/sysrq-trigger', '/proc/fs']

const words: Readonly<Record<SandboxMount['kind'], (path: string, source: string) => string[]>> = {
  empty: (path) => ['--tmpfs', path],
  mask: (path) => ['--ro-bind', '/dev/null', path],
  // Another program may remove the path before it is mounted. Then nothing has to be protected, so a missing
  // path is ignored.
  read: (path) => ['--ro-bind-try', path, path],
  write: (path) => ['--bind', path, path],
  seal: (path) => ['--remount-ro', path],
  private: (path, source) => ['--bind', source, path],
  fixed: (path, source) => ['--ro-bind', source, path],
  link: (path, source) => ['--symlink', source, path],
  // An empty file system is faster than a bind mount, because after each bind mount bubblewrap reads the
  // mount table again.
  stub: (path) => ['--perms', '0555', '--tmpfs', path],
}

/**
 * Returns how to start a command in the sandbox. With `keepsTerminal`, the command can control its terminal.
 * Otherwise it cannot, because it could type into a terminal that other programs use.
 */
export function wrapInBubblewrap(
  { path, locksNamespaces }: BubblewrapProgram,
  plan: SpawnPlan,
  mounts: readonly SandboxMount[],
  { keepsTerminal = false, filter, entry, ownsKernelSettings = process.getuid?.() === 0 }: WrapOptions = {},
): SpawnPlan {
  const namespaceNames = ['user', 'pid', 'ipc', ...(entry ? [] : ['net']), 'uts']
  const namespaces = namespaceNames.map((name) => `--unshare-${name}`)
  // A mount of `/` has to come first, because it would hide the new /dev and /proc.
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
 * Returns the mounts in an order that builds faster, because bubblewrap reads the whole mount table after
 * each bind mount and seal. Stubs, which are empty directories that reserve names, come last, because no
 * mount is inside them. An empty directory without inner mounts gets read-only permissions instead of a seal.
 */
function layCheaply(mounts: readonly SandboxMount[]): SandboxMount[] {
  const hasSeals = mounts.some(({ kind }) => kind === 'seal')
  const leaves = hasSeals ? sealedLeaves(mounts) : new Set<string>()
  const others = mounts.flatMap((mount): SandboxMount[] => {
    if (mount.kind === 'stub' || (mount.kind === 'seal' && leaves.has(mount.path))) return []
    return [mount.kind === 'empty' && leaves.has(mount.path) ? { ...mount, kind: 'stub' } : mount]
  })
  return [...others, ...mounts.filter(({ kind }) => kind === 'stub')]
}

/**
 * Returns true if the sandbox could not be built because another program removed or unmounted a path. The
 * next attempt can succeed.
 */
export const hasVanished = (errors: string): boolean =>
  /No such file|Can't (?:find source|mkdir|create file)/.test(errors) ||
  /Unable to (?:find|apply mount flags|remount)/.test(errors)

/**
 * Largest number of attempts to build a sandbox if other programs remove its paths meanwhile. Then
 * the start fails.
 */
export const maxBuilds = 6

/** How a sandbox ended, as read from its status file. */
type SandboxEnd = { kind: 'finished' } | { kind: 'not built'; why: string } | { kind: 'broken' }

/**
 * Returns how a sandbox ended, from the content of its status file. `finished`: the command ended. `not
 * built`: the sandbox was never complete, and standard error contains the reason. `broken`: the sandbox was
 * killed while the command ran.
 */
export function readSandboxEnd(status: string, errors: string): SandboxEnd {
  if (status.includes('"exit-code"')) return { kind: 'finished' }
  const complaint = errors.split('\n').findLast((line) => line.startsWith('bwrap: '))
  return complaint === undefined ? { kind: 'broken' } : { kind: 'not built', why: complaint }
}

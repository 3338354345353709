// The bubblewrap arguments of a sandbox: namespaces, mounts and the command.
import type { SpawnPlan } from '../process/process-command.ts'
import { type SandboxMount, sealedLeaves } from './sandbox-mounts.ts'

export interface BubblewrapProgram {
  /** Absolute path of bwrap. */
  path: string
  /** True if bwrap can prevent new namespaces inside the sandbox (0.8 and later). */
  locksNamespaces: boolean
}

/** File descriptor on which bubblewrap reports its progress. */
const statusFd = '3'

/** File descriptor from which bubblewrap reads the filter of system calls. It is inherited from the start. */
export const filterFd = 4

interface WrapOptions {
  keepsTerminal?: boolean | undefined
  /** Descriptor of the filter of system calls. */
  filter?: number | undefined
  /** True if the user owns the settings of the kernel. Default: true if this process runs as user 0. */
  ownsKernelSettings?: boolean
  /** Arguments for joining the network of other commands. Default: a separate network. */
  entry?: readonly string[] | undefined
}

/**
 * Kernel settings of the whole machine, which user 0 owns in a namespace as well. Bubblewrap itself shows
 * /proc/irq and /proc/bus read-only.
 */
const kernelSettings = ['/proc/sys', '/proc/sysrq-trigger', '/proc/fs']

const words: Readonly<Record<SandboxMount['kind'], (path: string, source: string) => string[]>> = {
  empty: (path) => ['--tmpfs', path],
  mask: (path) => ['--ro-bind', '/dev/null', path],
  // another program may remove the path in the meantime, and then no lock is necessary
  read: (path) => ['--ro-bind-try', path, path],
  write: (path) => ['--bind', path, path],
  seal: (path) => ['--remount-ro', path],
  private: (path, source) => ['--bind', source, path],
  fixed: (path, source) => ['--ro-bind', source, path],
  link: (path, source) => ['--symlink', source, path],
  // cheaper than a bind, after each of which bubblewrap reads the mount table again
  stub: (path) => ['--perms', '0555', '--tmpfs', path],
}

/**
 * Returns the start of a command in the sandbox. A command keeps a terminal only if no other program uses it,
 * because it could type into a shared one.
 */
export function wrapInBubblewrap(
  { path, locksNamespaces }: BubblewrapProgram,
  plan: SpawnPlan,
  mounts: readonly SandboxMount[],
  { keepsTerminal = false, filter, entry, ownsKernelSettings = process.getuid?.() === 0 }: WrapOptions = {},
): SpawnPlan {
  const own = ['user', 'pid', 'ipc', ...(entry ? [] : ['net']), 'uts']
  const namespaces = own.map((name) => `--unshare-${name}`)
  // mounted over the other mounts, the root would hide the new /dev and /proc
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
 * Returns the mounts in an order in which bubblewrap reads the mount table less often: it reads the table for
 * each bind and each seal. Stubs come last, because no mount is inside them. An empty directory without inner
 * mounts gets permissions instead of a seal.
 */
function layCheaply(mounts: readonly SandboxMount[]): SandboxMount[] {
  const leaves = sealedLeaves(mounts)
  const others = mounts.flatMap((mount): SandboxMount[] => {
    if (mount.kind === 'stub' || (mount.kind === 'seal' && leaves.has(mount.path))) return []
    return [mount.kind === 'empty' && leaves.has(mount.path) ? { ...mount, kind: 'stub' } : mount]
  })
  return [...others, ...mounts.filter(({ kind }) => kind === 'stub')]
}

/**
 * Returns true if a build failed because another program removed or unmounted a path. The next
 * build can succeed.
 */
export const hasVanished = (errors: string): boolean =>
  /No such file|Can't (?:find source|mkdir|create file)/.test(errors) ||
  /Unable to (?:find|apply mount flags|remount)/.test(errors)

/** Largest number of builds of a sandbox whose paths disappear. */
export const maxBuilds = 6

/** How a sandbox ended, from the state that it wrote. */
type SandboxEnd = { kind: 'finished' } | { kind: 'not built'; why: string } | { kind: 'broken' }

/**
 * Returns how a sandbox ended. `finished`: the exit of the command is recorded. `not built`: the sandbox was
 * never complete, and standard error contains the reason. `broken`: it was killed while the command ran.
 */
export function readSandboxEnd(status: string, errors: string): SandboxEnd {
  if (status.includes('"exit-code"')) return { kind: 'finished' }
  const complaint = errors.split('\n').findLast((line) => line.startsWith('bwrap: '))
  return complaint === undefined ? { kind: 'broken' } : { kind: 'not built', why: complaint }
}

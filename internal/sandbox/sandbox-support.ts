// Check whether this machine supports sandboxes, which builds one as a test. The result is stored until the
// end of the day (UTC). If the test fails, a text says how the user can enable sandboxes.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname, release } from 'node:os'
import { dirname, join } from 'node:path'
import { isObject } from '../base/untrusted-json.ts'
import { type BubblewrapProgram, hasVanished, maxBuilds, wrapInBubblewrap } from './bubblewrap.ts'

export type SandboxSupport =
  | { kind: 'bubblewrap'; program: BubblewrapProgram }
  | { kind: 'seatbelt' }
  /**
   * `missing`: bubblewrap is not installed; `refused`: the system refuses to build a sandbox; `unsupported`:
   * Anode has no sandbox for this system.
   */
  | { kind: 'none'; because: 'missing' | 'refused' | 'unsupported'; detail: string }

/** Result of the start of a program for the check. */
interface ProbeOutcome {
  exit: number | null
  errors: string
}

/** Functions and settings of this machine that the check uses. Tests replace them. */
export interface SandboxMachine {
  platform: string
  /** Directories in which programs are searched, in the form of PATH. */
  path: string
  /** Starts a program and waits for it; undefined if it cannot be started. */
  probe(file: string, args: readonly string[]): Promise<ProbeOutcome | undefined>
}

/**
 * Returns the sandbox that this machine supports, or the reason why it supports no sandbox. Builds one
 * as a test.
 */
export async function probeSandbox(machine: SandboxMachine): Promise<SandboxSupport> {
  if (machine.platform === 'darwin') {
    const tried = await machine.probe('/usr/bin/sandbox-exec', [
      '-p',
      '(version 1)(allow default)',
      '/usr/bin/true',
    ])
    return tried?.exit === 0
      ? { kind: 'seatbelt' }
      : toRefusal(tried?.errors ?? 'sandbox-exec cannot be started')
  }
  if (machine.platform !== 'linux') {
    const detail = `sandboxes are not supported on ${machine.platform}`
    return { kind: 'none', because: 'unsupported', detail }
  }
  const path = findProgram('bwrap', machine.path)
  if (path === undefined)
    return { kind: 'none', because: 'missing', detail: 'bubblewrap (bwrap) is not installed' }
  let last = ''
  for (const locksNamespaces of [true, false]) {
    const program = { path, locksNamespaces }
    const plan = wrapInBubblewrap(program, { file: '/bin/true', args: [], cwd: '/', env: {} }, [])
    // The test start has no descriptor for the state of the sandbox, so that option is removed.
    const args = plan.args.filter(
      (word, i) => word !== '--json-status-fd' && plan.args[i - 1] !== '--json-status-fd',
    )
    const tried = await probeUnlessVanished(machine, path, args)
    if (tried?.exit === 0) return { kind: 'bubblewrap', program }
    last = tried?.errors || `bwrap ended with exit ${tried?.exit ?? 'nothing'}`
  }
  return toRefusal(last)
}

/**
 * Tests a sandbox, again if one of its paths vanished meanwhile, and returns the outcome. The result is
 * stored until the end of the day, so it must not depend on a path that another program removed.
 */
async function probeUnlessVanished(
  { probe }: SandboxMachine,
  path: string,
  args: readonly string[],
): Promise<ProbeOutcome | undefined> {
  let tried = await probe(path, args)
  for (let i = 1; i < maxBuilds && tried?.exit !== 0 && hasVanished(tried?.errors ?? ''); i++)
    tried = await probe(path, args)
  return tried
}

/** Returns true if this process is in a user namespace that has no id for some owners of files. */
function lacksOwners(): boolean {
  try {
    return !/^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'))
  } catch {
    return false
  }
}

/** User id that the kernel shows for an owner that has no id in the user namespace. */
const overflowId = 65_534

const toRefusal = (errors: string): SandboxSupport => {
  const detail = errors.trim().split('\n').at(-1) ?? ''
  return { kind: 'none', because: 'refused', detail }
}

/**
 * Returns the path of a program that root or the user owns, in a directory that root or the user owns;
 * undefined without one. The absolute directories of `path` are searched, then /usr/bin and /bin.
 */
export function findProgram(name: string, path: string): string | undefined {
  const folders = path.split(':').filter((dir) => dir.startsWith('/'))
  return [...folders, '/usr/bin', '/bin'].map((dir) => join(dir, name)).find((file) => isOwnProgram(file))
}

/**
 * Returns true for a file that root or the user owns, in a directory that one of them owns. In a user
 * namespace without root, files of root show `overflowId` as owner.
 */
function isOwnProgram(file: string): boolean {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    const { uid } = statSync(dirname(file))
    const isOurs = (owner: number) =>
      owner === 0 || owner === process.getuid?.() || (owner === overflowId && lacksOwners())
    return stats?.isFile() === true && isOurs(stats.uid) && isOurs(uid)
  } catch {
    // The directory does not exist or cannot be entered, so it has no program for this user.
    return false
  }
}

/**
 * Returns the path of the file with the stored results. It has a result for each machine, because several may
 * share the data directory.
 */
const fileIn = (dataDir: string) => join(dataDir, 'sandbox.json')

const machineKey = (path: string) =>
  [hostname(), release(), process.getuid?.() ?? '', findProgram('bwrap', path) ?? ''].join(' ')

/**
 * Returns the result that was stored today (in UTC), or the result of a new test. `fresh`: always makes
 * a new test.
 */
export async function findSandboxSupport(
  dataDir: string,
  machine: SandboxMachine,
  fresh = false,
): Promise<SandboxSupport> {
  const day = new Date().toISOString().slice(0, 10)
  const key = machineKey(machine.path)
  const knownResults = readKnown(dataDir)
  const entry = knownResults[key]
  if (!fresh && entry?.day === day) return entry.support
  const support = await probeSandbox(machine)
  const others = Object.fromEntries(Object.entries(knownResults).filter(([, other]) => other.day === day))
  const text = JSON.stringify({ ...others, [key]: { day, support } })
  try {
    writeFileSync(fileIn(dataDir), text)
  } catch {
    // The data directory cannot be written, so the next start makes the test again.
  }
  return support
}

function readKnown(dataDir: string): Record<string, { day: string; support: SandboxSupport }> {
  try {
    const content: unknown = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    return isObject(content) ? (content as ReturnType<typeof readKnown>) : {}
  } catch {
    // The file does not exist or is damaged, so the test is made again.
    return {}
  }
}

/**
 * Kernel settings that can forbid user namespaces. A text is the content of a file below /proc/sys; undefined
 * if that file is missing.
 */
export interface NamespaceLimits {
  /** Content of /proc/sys/kernel/apparmor_restrict_unprivileged_userns. */
  apparmor: string | undefined
  /** Content of /proc/sys/kernel/unprivileged_userns_clone. */
  clone: string | undefined
  /** Content of /proc/sys/user/max_user_namespaces. */
  max: string | undefined
  inContainer: boolean
}

export function readNamespaceLimits(): NamespaceLimits {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8').trim()
    } catch {
      return undefined
    }
  }
  const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined
  return {
    apparmor: read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    clone: read('/proc/sys/kernel/unprivileged_userns_clone'),
    max: read('/proc/sys/user/max_user_namespaces'),
    inContainer: exists('/.dockerenv') || exists('/run/.containerenv'),
  }
}

/** Returns one sentence that says how the user can enable sandboxes; undefined if they work. */
export function describeFix(support: SandboxSupport, limits: NamespaceLimits): string | undefined {
  if (support.kind !== 'none') return undefined
  if (support.because === 'unsupported')
    return 'run Anode on Linux or macOS, or in a separate container or machine'
  if (support.because === 'missing') {
    return (
      'install it: `apt install bubblewrap`, `dnf install bubblewrap`, `apk add bubblewrap` ' +
      'or `pacman -S bubblewrap`'
    )
  }
  if (limits.apparmor === '1') {
    return (
      'AppArmor keeps programs from making user namespaces (Ubuntu 23.10 and later): ' +
      '`sudo apt install apparmor-profiles && ' +
      'sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict ' +
      '/etc/apparmor.d/ && sudo systemctl reload apparmor`, or for all programs ' +
      '`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`'
    )
  }
  if (limits.clone === '0')
    return '`sudo sysctl kernel.unprivileged_userns_clone=1` lets users make namespaces'
  if (limits.max === '0') return '`sudo sysctl user.max_user_namespaces=15000` lets users make namespaces'
  if (limits.inContainer) {
    return (
      'the container forbids user namespaces: start it with `--security-opt seccomp=unconfined ' +
      '--security-opt systempaths=unconfined` (Docker and Podman), or use the container as the sandbox ' +
      'and say `--sandbox off`'
    )
  }
  return 'try `bwrap --unshare-user --ro-bind / / true` by hand: what it says is what the system refuses'
}

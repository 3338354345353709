// Whether this machine can build walls: found out by building one, kept for a day, and what mends a refusal.
import { readFileSync, statSync } from 'node:fs'
import { hostname, release } from 'node:os'
import { dirname, join } from 'node:path'
import { isObject } from '../base/untrusted-json.ts'
import { type BubblewrapProgram, hasVanished, maxBuilds, wrapInBubblewrap } from './bubblewrap.ts'

export type SandboxSupport =
  | { kind: 'bubblewrap'; program: BubblewrapProgram }
  | { kind: 'seatbelt' }
  /** `missing`: the program; `refused`: the system does not let it; `unsupported`: there is none for it. */
  | { kind: 'none'; because: 'missing' | 'refused' | 'unsupported'; detail: string }

/** How a probe went. */
export interface ProbeOutcome {
  exit: number | null
  errors: string
}

/** What finding out depends on. */
export interface SandboxMachine {
  platform: string
  /** Folders of programs, in the form of PATH. */
  path: string
  /** Starts a program and waits for it; undefined when it cannot be started. */
  probe(file: string, args: readonly string[]): Promise<ProbeOutcome | undefined>
}

/** Tries what walls are made of. */
export async function probeSandbox(machine: SandboxMachine): Promise<SandboxSupport> {
  if (machine.platform === 'darwin') {
    const tried = await machine.probe('/usr/bin/sandbox-exec', [
      '-p',
      '(version 1)(allow default)',
      '/usr/bin/true',
    ])
    return tried?.exit === 0
      ? { kind: 'seatbelt' }
      : refused(tried?.errors ?? 'sandbox-exec cannot be started')
  }
  if (machine.platform !== 'linux') {
    const detail = `there is no wall for ${machine.platform}`
    return { kind: 'none', because: 'unsupported', detail }
  }
  const path = findProgram('bwrap', machine.path)
  if (path === undefined)
    return { kind: 'none', because: 'missing', detail: 'bubblewrap (bwrap) is not installed' }
  let last = ''
  for (const locksNamespaces of [true, false]) {
    const program = { path, locksNamespaces }
    const plan = wrapInBubblewrap(program, { file: '/bin/true', args: [], cwd: '/', env: {} }, [])
    // the probe has no descriptor to write its state to
    const args = plan.args.filter(
      (word, i) => word !== '--json-status-fd' && plan.args[i - 1] !== '--json-status-fd',
    )
    const tried = await probeUnlessVanished(machine, path, args)
    if (tried?.exit === 0) return { kind: 'bubblewrap', program }
    last = tried?.errors || `bwrap ended with exit ${tried?.exit ?? 'nothing'}`
  }
  return refused(last)
}

/** The outcome is known for a day, so it says nothing about a path that another program removed. */
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

/** Whether this process is in a user namespace that has no id for some owners. */
function lacksOwners(): boolean {
  try {
    return !/^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'))
  } catch {
    return false
  }
}

/** How the kernel names owners that a namespace has no id for. */
const overflowId = 65_534

const refused = (errors: string): SandboxSupport => {
  const detail = errors.trim().split('\n').at(-1) ?? ''
  return { kind: 'none', because: 'refused', detail }
}

/** A program of root or the user, in a directory of root or the user. `path`: in the form of PATH. */
export function findProgram(name: string, path: string): string | undefined {
  const folders = path.split(':').filter((dir) => dir.startsWith('/'))
  return [...folders, '/usr/bin', '/bin'].map((dir) => join(dir, name)).find((file) => isOwnProgram(file))
}

/** A file that root or the user owns; in a namespace without root its owner is the overflow id. */
function isOwnProgram(file: string): boolean {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    const { uid } = statSync(dirname(file))
    const isOurs = (owner: number) =>
      owner === 0 || owner === process.getuid?.() || (owner === overflowId && lacksOwners())
    return stats?.isFile() === true && isOurs(stats.uid) && isOurs(uid)
  } catch {
    // a directory that cannot be entered has no program for this user
    return false
  }
}

/** What is known of machines, in the data directory: several may share it. */
const fileIn = (dataDir: string) => join(dataDir, 'sandbox.json')

const machineKey = (path: string) =>
  [hostname(), release(), process.getuid?.() ?? '', findProgram('bwrap', path) ?? ''].join(' ')

/** What was found out today, else what a probe finds now. `fresh` asks the machine whatever is known. */
export async function findSandboxSupport(
  dataDir: string,
  machine: SandboxMachine,
  fresh = false,
): Promise<SandboxSupport> {
  const day = new Date().toISOString().slice(0, 10)
  const key = machineKey(machine.path)
  const known = readKnown(dataDir)
  const entry = known[key]
  if (!fresh && entry?.day === day) return entry.support
  const support = await probeSandbox(machine)
  const others = Object.fromEntries(Object.entries(known).filter(([, other]) => other.day === day))
  const text = JSON.stringify({ ...others, [key]: { day, support } })
  const { writeAtomic } = await import('../base/files/atomic-write.ts')
  // a data directory that cannot be written only means that the next start asks again
  await writeAtomic(fileIn(dataDir), Buffer.from(text)).catch(() => undefined)
  return support
}

function readKnown(dataDir: string): Record<string, { day: string; support: SandboxSupport }> {
  try {
    const known: unknown = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    return isObject(known) ? (known as ReturnType<typeof readKnown>) : {}
  } catch {
    // never written, or torn: asked for again
    return {}
  }
}

/** What a system says of itself where user namespaces are refused. */
export interface NamespaceLimits {
  /** Content of /proc/sys/kernel/apparmor_restrict_unprivileged_userns, and so on; undefined: not there. */
  apparmor: string | undefined
  clone: string | undefined
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

/** What a person can do, one sentence; undefined where walls work. */
export function describeMend(support: SandboxSupport, limits: NamespaceLimits): string | undefined {
  if (support.kind !== 'none') return undefined
  if (support.because === 'unsupported')
    return 'run Anode on Linux or macOS, or in a container or machine of its own'
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
      'the container lets nobody make user namespaces: start it with `--security-opt seccomp=unconfined ' +
      '--security-opt systempaths=unconfined` (Docker and Podman), or let the container be the wall ' +
      'and say `--sandbox off`'
    )
  }
  return 'try `bwrap --unshare-user --ro-bind / / true` by hand: what it says is what the system refuses'
}

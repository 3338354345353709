// The identity of a process in the names of its files, and the check whether that process still runs.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { checksum } from './checksum.ts'
import { codeOf } from './errors.ts'
import { type ProcessEntry, parseProcessStat, pidNamespace } from './process-stat.ts'

let own: string | undefined

/**
 * Returns the identity of this process as `<pid>-<start>-<boot>-<namespace>-<host>`. It is safe in a file
 * name and unique to the process. Without /proc the unknown parts are `0`.
 */
export function processIdentity(): string {
  own ??= [
    process.pid,
    statOf(process.pid)?.start ?? '0',
    short(readOr('/proc/sys/kernel/random/boot_id')),
    pidNamespace() || '0',
    short(hostname()),
  ].join('-')
  return own
}

/** Milliseconds after which work counts as abandoned if the state of its process is unknown. */
export const maxUnknownAgeMs = 600_000

/**
 * Returns true if the process of `mark` may still run. `ageMs` is the age of its file. It decides if pids
 * cannot: another machine, another PID namespace, or a system that hides start times.
 */
export function isAlive(mark: string, ageMs: number): boolean {
  const [pid, start, boot, space, host] = mark.split('-')
  const [, ownStart, ownBoot, ownSpace, ownHost] = processIdentity().split('-')
  if (host !== ownHost) return ageMs < maxUnknownAgeMs
  if (boot !== ownBoot) return false
  if (space !== ownSpace) return ageMs < maxUnknownAgeMs
  if (ownStart !== '0') {
    const there = statOf(Number(pid))
    return there !== undefined && `${there.start}` === start && !there.zombie
  }
  return processExists(Number(pid)) && ageMs < maxUnknownAgeMs
}

const statOf = (pid: number): ProcessEntry | undefined => parseProcessStat(readOr(`/proc/${pid}/stat`))

/** Returns true if the system has a process with this id. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

const short = (text: string) => (text === '' ? '0' : checksum(text).slice(0, 8))

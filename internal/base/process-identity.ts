// Who made a file that a crash may leave behind, and whether that process is still there.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { checksum } from './checksum.ts'
import { codeOf } from './errors.ts'
import { type ProcessEntry, parseProcessStat, pidNamespace } from './process-stat.ts'

let own: string | undefined

/**
 * This process, as `<pid>-<start>-<boot>-<namespace>-<host>`: safe in a file name, never equal for two
 * processes. Where the system does not tell (no /proc) a part is `0`.
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

/**
 * A work that takes longer than this is given up when nobody can tell whether its process lives, in
 * milliseconds.
 */
export const maxUnknownAgeMs = 600_000

/**
 * True when the process that wrote `mark` may still be at work. `ageMs` is how long ago it left its trace,
 * and decides where pids do not: another machine, another PID space, or a system that hides start times.
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

/** Whether the system knows a process of this number. */
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

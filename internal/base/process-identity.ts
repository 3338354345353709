// The identity of a process in the names of its files, the check whether that process still runs, and the
// parser of /proc/<pid>/stat (proc(5)).
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { checksum } from './checksum.ts'
import { codeOf } from './errors.ts'

let ownIdentity: string | undefined

/**
 * Returns the identity of this process as `<pid>-<start>-<boot>-<namespace>-<host>`. It is safe in a file
 * name and unique to the process. Without /proc the unknown parts are `0`.
 */
export function processIdentity(): string {
  ownIdentity ??= [
    process.pid,
    statOf(process.pid)?.start ?? '0',
    hashText(readOr('/proc/sys/kernel/random/boot_id')),
    pidNamespace() || '0',
    hashText(hostname()),
  ].join('-')
  return ownIdentity
}

/** Milliseconds after which work counts as abandoned if the state of its process is unknown. */
export const maxUnknownAgeMs = 600_000

/**
 * Returns true if the process of `mark` may still run. If pids decide nothing (another machine or another PID
 * namespace), a file younger than ten minutes counts as that of a living process. `ageMs` is the age of the
 * file. Without /proc, the process of an older file has to be as old as the file.
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
  return processExists(Number(pid)) && (ageMs < maxUnknownAgeMs || hasRunFor(Number(pid), ageMs))
}

/**
 * Returns true if the process is at least as old as `ms`, apart from a second, because `ps` omits parts of a
 * second. False if `ps` does not know the process or does not exist.
 */
export function hasRunFor(pid: number, ms: number): boolean {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const args = ['-o', 'etime=', '-p', `${pid}`]
  const { stdout } = spawnSync('/bin/ps', args, { encoding: 'utf8', timeout: 5_000 })
  const elapsed = parseElapsed(stdout ?? '')
  return elapsed !== undefined && elapsed + 1_000 >= ms
}

/** Returns milliseconds for a time such as `2-03:04:05` or `04:05`; undefined for another text. */
export function parseElapsed(text: string): number | undefined {
  const [, days = 0, hours = 0, minutes, seconds] =
    /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(text.trim()) ?? []
  if (minutes === undefined) return undefined
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
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

const hashText = (text: string) => (text === '' ? '0' : checksum(text).slice(0, 8))

export interface ProcessEntry {
  pid: number
  parent: number
  group: number
  session: number
  /** Process group that the terminal of the process listens to; -1 without a terminal. */
  foreground: number
  /** True if the process has ended and only its entry in the table is left. */
  zombie: boolean
  /**
   * Start of the process in clock ticks since boot. Together with the pid, it identifies a process uniquely.
   */
  start: number
}

/** Returns the entry in the text of a stat file; undefined for an empty one. */
export function parseProcessStat(text: string): ProcessEntry | undefined {
  if (text === '') return undefined
  // the name in parentheses may itself contain spaces and parentheses
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (n: number) => Number(fields[n])
  return {
    pid: Number.parseInt(text, 10),
    parent: at(1),
    group: at(2),
    session: at(3),
    foreground: at(5),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    start: at(19),
  }
}

/** Returns the number of this process's PID namespace; empty if the system does not report it. */
export function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    // the link in /proc that names the namespace is missing or not readable
    return ''
  }
}

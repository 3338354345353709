// Reader of the process table in /proc: processes, their parents and their markers.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { type ProcessEntry, parseProcessStat } from '../../base/process-identity.ts'

/** Returns true if this system has its process table in /proc. */
export function hasProc(): boolean {
  return existsSync('/proc/self/stat')
}

/**
 * Returns one process, also one that has ended but is still in the table (a zombie); undefined if it is not
 * in the table.
 */
export function readProcess(pid: number | 'self'): ProcessEntry | undefined {
  return parseProcessStat(readStart(`/proc/${pid}/stat`)?.toString('latin1') ?? '')
}

/**
 * Returns the arguments of a process, separated by spaces; empty if the process does not exist or has ended.
 */
export function readCommandLine(pid: number): string {
  return (readStart(`/proc/${pid}/cmdline`)?.toString('latin1') ?? '').replaceAll('\0', ' ')
}

/** Returns all process ids. */
export function listPids(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const first = name.charCodeAt(0)
    return first >= 0x30 && first <= 0x39 ? [Number(name)] : []
  })
}

/** Returns the id that the system assigned last; undefined if the system does not report it. */
export function lastPid(): number | undefined {
  const text = readStart('/proc/sys/kernel/ns_last_pid')?.toString('latin1')
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

/**
 * Returns the ids after `first` up to `last`; undefined if they are more than `maxCount`, and if `last` is
 * unknown or lower than `first`. The result is correct only while the counter cannot have wrapped around.
 */
export function pidsBetween(first: number, last: number | undefined, maxCount = 256): number[] | undefined {
  if (last === undefined || last < first || last - first > maxCount) return undefined
  return Array.from({ length: last - first }, (_, i) => first + 1 + i)
}

/**
 * Returns true if the process was started with `mark` in its environment; false if the environment
 * cannot be read.
 */
export function carriesMark(pid: number, mark: string): boolean {
  const start = readStart(`/proc/${pid}/environ`)
  if (!start) return false
  if (start.includes(mark)) return true
  if (start.length < size) return false
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark)
  } catch {
    return false
  }
}

/** Returns true if the limit of file locks begins with `digits`; see limit-mark.ts. */
export function carriesLimit(pid: number, digits: string): boolean {
  const text = readStart(`/proc/${pid}/limits`)?.toString('latin1')
  return text !== undefined && /^Max file locks +(\d+)/m.exec(text)?.[1]?.startsWith(digits) === true
}

const size = 64 * 1024
let buffer: Buffer | undefined

/** Returns the first 64 KiB of a file in /proc, valid until the next call; undefined if it cannot be read. */
function readStart(path: string): Buffer | undefined {
  buffer ??= Buffer.allocUnsafeSlow(size)
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    let length = 0
    for (let got = -1; got !== 0 && length < size; length += got)
      got = readSync(fd, buffer, length, size - length, null)
    return buffer.subarray(0, length)
  } catch {
    // The process has ended or is not readable. In both cases it counts as missing.
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

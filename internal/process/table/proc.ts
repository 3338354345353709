// Reads the process table from /proc: which processes there are, whose children, with which marker.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { type ProcessEntry, parseProcessStat } from '../../base/process-stat.ts'

/** Whether this system keeps its process table in /proc. */
export function hasProc(): boolean {
  return existsSync('/proc/self/stat')
}

/** One process, or undefined when there is none (any more). */
export function readProcess(pid: number | 'self'): ProcessEntry | undefined {
  return parseProcessStat(readStart(`/proc/${pid}/stat`)?.toString('latin1') ?? '')
}

/** Its words, each behind the other; empty when there is none (any more). */
export function readCommandLine(pid: number): string {
  return (readStart(`/proc/${pid}/cmdline`)?.toString('latin1') ?? '').replaceAll('\0', ' ')
}

/** Every process id there is. */
export function listPids(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const first = name.charCodeAt(0)
    return first >= 0x30 && first <= 0x39 ? [Number(name)] : []
  })
}

/** The id handed out last, or undefined where the system does not tell it. */
export function lastPid(): number | undefined {
  const text = readStart('/proc/sys/kernel/ns_last_pid')?.toString('latin1')
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

/**
 * The ids from behind `first` to `last`, or undefined when they are too many to be looked at one by one. Only
 * right while the counter cannot have gone all the way round in between.
 */
export function pidsBetween(first: number, last: number | undefined, maxCount = 256): number[] | undefined {
  if (last === undefined || last < first || last - first > maxCount) return undefined
  return Array.from({ length: last - first }, (_, i) => first + 1 + i)
}

/**
 * True when the process was started with `mark` somewhere in its environment. False when that cannot be read.
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

/** True when the limit of file locks begins with `digits`; see limit-mark.ts. */
export function carriesLimit(pid: number, digits: string): boolean {
  const text = readStart(`/proc/${pid}/limits`)?.toString('latin1')
  return text !== undefined && /^Max file locks +(\d+)/m.exec(text)?.[1]?.startsWith(digits) === true
}

const size = 64 * 1024
let buffer: Buffer | undefined

/** The first 64 KiB of a file in /proc, valid until the next call; undefined when it cannot be read. */
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
    // gone, or not ours to read: both mean that there is nothing to see
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

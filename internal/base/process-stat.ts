// The parser of /proc/<pid>/stat (proc(5)), and the process-id namespace of these numbers.
import { readlinkSync } from 'node:fs'

export interface ProcessEntry {
  pid: number
  parent: number
  group: number
  session: number
  /** Process group that the terminal of the process listens to; -1 without a terminal. */
  foreground: number
  /** True if the process has ended and only its entry in the table is left. */
  zombie: boolean
  /** Clock ticks since boot. With the pid they identify a process uniquely. */
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

/** Returns the number of this process's id namespace; empty if the system does not report it. */
export function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    // /proc is missing or not readable
    return ''
  }
}

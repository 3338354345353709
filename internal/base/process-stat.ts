// Parses /proc/<pid>/stat (proc(5)), and names the process-id space that such numbers belong to.
import { readlinkSync } from 'node:fs'

export interface ProcessEntry {
  pid: number
  parent: number
  group: number
  session: number
  /** The group that its terminal listens to; -1 without a terminal. */
  foreground: number
  /** It has ended; only the entry in the table is left. */
  zombie: boolean
  /** Clock ticks since boot; with the pid it names a process for good. */
  start: number
}

/** The entry that the text of a stat file describes; undefined for an empty one. */
export function parseProcessStat(text: string): ProcessEntry | undefined {
  if (text === '') return undefined
  // the name in parentheses may hold spaces and parentheses itself
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

/** The number of this process's id space; empty where the system does not tell it. */
export function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    // no /proc, or one that may not be read
    return ''
  }
}

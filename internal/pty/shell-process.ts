// What the shell of a terminal is doing: whether it reads the terminal itself, and the folder that it is in.
import { readFileSync, readlinkSync } from 'node:fs'
import { parseProcessStat } from '../base/process-stat.ts'

interface ShellActivity {
  /** No program that it has started holds the terminal. */
  isReading: boolean
  /** Its present folder; undefined where the system does not say. */
  folder: string | undefined
}

const unknown: ShellActivity = { isReading: false, folder: undefined }

/** `leader` is the process that was started: the shell, or the wall around it. */
export function readShellActivity(leader: number): ShellActivity {
  try {
    const pid = findShell(leader)
    const entry =
      pid === undefined ? undefined : parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    if (!entry || entry.zombie) return unknown
    return { isReading: entry.foreground === entry.group, folder: readlinkSync(`/proc/${pid}/cwd`) }
  } catch {
    // gone, or a system without /proc
    return unknown
  }
}

/** The first process below the leader that is not part of a wall. */
function findShell(leader: number): number | undefined {
  let pid = leader
  for (let depth = 0; depth < 4; depth++) {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'bwrap') return pid
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    if (!child) return undefined
    pid = Number(child)
  }
  return undefined
}

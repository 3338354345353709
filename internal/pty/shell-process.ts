// State of a terminal's shell: whether it reads the terminal itself, and its current directory.
import { readFileSync, readlinkSync } from 'node:fs'
import { parseProcessStat } from '../base/process-identity.ts'

interface ShellActivity {
  /**
   * True if the shell itself reads the input, because no program runs in the foreground; false if unknown.
   */
  isReading: boolean
  /** Current directory; undefined if the system does not report it. */
  folder: string | undefined
}

const unknown: ShellActivity = { isReading: false, folder: undefined }

/**
 * Returns the state of the shell. `leader` is the id of the process that was started: the shell, or the
 * sandbox around it.
 */
export function readShellActivity(leader: number): ShellActivity {
  try {
    const pid = findShell(leader)
    const entry =
      pid === undefined ? undefined : parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    if (!entry || entry.zombie) return unknown
    return { isReading: entry.foreground === entry.group, folder: readlinkSync(`/proc/${pid}/cwd`) }
  } catch {
    // The process has ended, or the system has no /proc, so nothing is known.
    return unknown
  }
}

/**
 * Returns the id of the shell, the first process that is not the sandbox program bwrap. Searches the leader
 * and the three processes below it. Undefined if all of them are bwrap, or if a process has no child.
 */
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

// Processor time of processes that lost their parents, sampled while they run.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { carriesMark, hasProc, listPids, readProcess } from '../../process/table/descendants.ts'

/** Milliseconds between samples. Time that a process uses after its last sample is not counted. */
const intervalMs = 20
/** Milliseconds of one tick of the process table's clock, on every Linux that Node runs on. */
const tickMs = 10

interface OrphanWatch {
  /**
   * Environment variables for the command. They mark all of its processes, so that those that lost their
   * parents are found. Only the time of these orphans is counted.
   */
  env: Readonly<Record<string, string>>
  /** Ends the watch. Returns the sampled milliseconds of processor time. */
  end(): number
}

/**
 * Starts the watch. Its `end` returns 0 on a system without a process table. Processes that clear their
 * environment are not counted. The time of an orphan's children counts once the orphan has waited for them.
 */
export function watchOrphans(): OrphanWatch {
  const mark = randomBytes(12).toString('hex')
  const timesByProcess = new Map<string, number>()
  const look = () => {
    const marked = new Set(listPids().filter((pid) => pid !== process.pid && carriesMark(pid, mark)))
    for (const pid of marked) {
      const proc = readProcess(pid)
      // A marked process whose parent is this process is the command itself and not an orphan.
      if (!proc || marked.has(proc.parent) || proc.parent === process.pid) continue
      timesByProcess.set(`${pid} ${proc.start}`, timeOf(pid))
    }
  }
  const timer = hasProc() ? setInterval(look, intervalMs) : undefined
  return {
    env: { ANODE_CPU_MARK: mark },
    end() {
      clearInterval(timer)
      return [...timesByProcess.values()].reduce((sum, ms) => sum + ms, 0)
    },
  }
}

/**
 * Returns the processor time, in milliseconds, of the process and of the child processes that it has waited
 * for. Returns 0 if the process has ended.
 */
function timeOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return tickMs * [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
  } catch {
    // The process has just ended, so its time cannot be read.
    return 0
  }
}

// Processor time of processes that lost their parents, sampled while they run.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { carriesMark, hasProc, listPids, readProcess } from '../../process/table/proc.ts'

/** Between looks; what a process does after the last look at it is not counted. */
const intervalMs = 20
/** Of the clock that the process table counts in, on every Linux that Node runs on. */
const tickMs = 10

interface OrphanWatch {
  /** Variables that mark the processes. */
  env: Readonly<Record<string, string>>
  /** Ends the watch; the milliseconds that were seen. */
  end(): number
}

/** Counts nothing where there is no process table to read, and nothing of who clears their environment. */
export function watchOrphans(): OrphanWatch {
  const mark = randomBytes(12).toString('hex')
  const seen = new Map<string, number>()
  const look = () => {
    const marked = new Set(listPids().filter((pid) => pid !== process.pid && carriesMark(pid, mark)))
    for (const pid of marked) {
      const proc = readProcess(pid)
      // the first of them is our own child
      if (!proc || marked.has(proc.parent) || proc.parent === process.pid) continue
      seen.set(`${pid} ${proc.start}`, timeOf(pid))
    }
  }
  const timer = hasProc() ? setInterval(look, intervalMs) : undefined
  return {
    env: { ANODE_CPU_MARK: mark },
    end() {
      clearInterval(timer)
      return [...seen.values()].reduce((sum, ms) => sum + ms, 0)
    },
  }
}

/** Of the process and of the children it has waited for. */
function timeOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return tickMs * [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
  } catch {
    // it has just ended
    return 0
  }
}

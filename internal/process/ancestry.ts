// The check whether a running Anode started this process, even with another environment.

import { readdirSync } from 'node:fs'
import type { EnvironmentVariables } from '../base/environment.ts'
import { parseRunName, runDir } from './run-directory.ts'
import { carriesMark, hasProc, readProcess } from './table/descendants.ts'

/**
 * Returns true if this process or an ancestor carries the marker that Anode gives its children, or if an
 * ancestor is an Anode that started a process and uses `dataDir`. Without /proc, only the own environment and
 * the parent process are checked.
 */
export function isBelowAnode(env: EnvironmentVariables, dataDir: string): boolean {
  if (env.ANODE_RUN) return true
  const running = placesIn(dataDir)
  if (!hasProc()) return running.some(({ pid }) => pid === process.ppid)
  for (let pid = process.pid; pid > 1; ) {
    const proc = readProcess(pid)
    if (!proc) return false
    if (carriesMark(pid, 'ANODE_RUN=')) return true
    if (pid !== process.pid && running.some((place) => place.pid === pid && place.start === proc.start))
      return true
    pid = proc.parent
  }
  return false
}

function placesIn(dataDir: string) {
  try {
    return readdirSync(runDir(dataDir)).flatMap((name) => parseRunName(name) ?? [])
  } catch {
    // The directory of records is missing, so this data directory has never started a process.
    return []
  }
}

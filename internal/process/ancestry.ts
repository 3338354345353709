// Whether this process was started by a running Anode, also when it was given another environment.

import { readdirSync } from 'node:fs'
import type { EnvironmentVariables } from '../base/environment.ts'
import { parseRunName, runDir } from './run-directory.ts'
import { carriesMark, hasProc, readProcess } from './table/proc.ts'

/**
 * True when this process or one above it carries the marker of an Anode, or is one that has started
 * something. Where there is no /proc only the own environment and the parent are looked at.
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
    // nothing was ever started
    return []
  }
}

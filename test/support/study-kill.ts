// A study that is killed at a moment of chance, and what its report says besides what names the run.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Done } from './anode.ts'
import { choice, type Rng } from './rng.ts'
import { root } from './sources.ts'

export type Victim = 'worker' | 'coordinator'

/** Where it runs: its workspace, its data directory and what its environment holds besides. */
export interface KillPlace {
  dir: string
  data: string
  env?: Readonly<Record<string, string>>
}

/** Runs the program and kills the victim a moment after the `after`th line of progress. */
export function runAndKill(
  { dir, data, env = {} }: KillPlace,
  words: readonly string[],
  victim: Victim,
  after: number,
  random: Rng,
): Promise<Done & { hit: boolean }> {
  const child = spawn(process.execPath, [join(root, 'dist', 'anode.cjs'), ...words], {
    cwd: dir,
    env: { PATH: process.env['PATH'], HOME: dir, ANODE_DATA_DIR: data, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const workers = new Set<number>()
  let seen = 0
  let hit = false
  const strike = () => {
    const pid = victim === 'worker' ? choice(random, [...workers]) : child.pid
    if (pid === undefined) return
    try {
      process.kill(pid, 'SIGKILL')
      hit = true
    } catch {
      // it has ended meanwhile; the run then tells nothing
    }
  }
  createInterface({ input: child.stderr }).on('line', (line) => {
    const { kind, pid } = JSON.parse(line) as { kind: string; pid?: number }
    if (kind === 'task.started' && pid !== undefined) workers.add(pid)
    if (workers.size > 0 && ++seen === after) setTimeout(strike, random() * 40)
  })
  return new Promise((resolve, reject) => {
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, err: '', hit }))
  })
}

export interface KilledReport {
  id: string
  repaid_steps: number
  duplicate_claims: number
  [key: string]: unknown
}

/** Returns a report without the fields that differ between runs: id, times, notices, limits, attempts. */
function reportedWords(out: string): unknown {
  const report = JSON.parse(out) as KilledReport
  for (const key of ['id', 'created', 'wall_ms', 'notices', 'limits']) delete report[key]
  for (const task of report['tasks'] as Record<string, unknown>[]) {
    delete task['wall_ms']
    delete task['attempts']
  }
  return report
}

/** The same for comparing: whether mail comes before or after a kill is chance, and with it what a prompt holds. */
export const comparable = (out: string): string =>
  JSON.stringify(reportedWords(out), (key, value) =>
    /^(tokens|usage|messages|steps)$/.test(key) ? undefined : value,
  )

// Lets tools measure experiments in the workspace; the engine is loaded with the first question.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { Run } from '../../process/command.ts'
import { homeOf } from '../../research/home.ts'
import type { Research } from '../../research/session.ts'
import type { Listed } from '../../tool/catalog.ts'
import type { Experiments } from '../../tool/experiments.ts'

interface Place {
  workspace: string
  env: Readonly<Record<string, string | undefined>>
  run: Run
  trusted: boolean
}

export function experiments({ workspace, env, run, trusted }: Place): Experiments {
  const data = dataDir(env)
  const open = async (signal: AbortSignal): Promise<Research> => {
    const { openResearch } = await import('../../research/session.ts')
    return openResearch({ cwd: workspace, data, env, run, trusted, signal })
  }
  return {
    active: () => existsSync(join(homeOf(data, workspace), 'active')),
    init: async (settings, signal) => (await open(signal)).init(settings),
    run: async (order, signal) => (await open(signal)).run(order),
    log: async (order, signal) => (await open(signal)).log(order),
  }
}

/** Tools that make sense only in a session. */
const needing = new Set(['run_experiment', 'log_experiment'])

/** The tools of a model, without those of a session while there is none. The same array until something changes. */
export function whileActive(tools: () => readonly Listed[], active: () => boolean): () => readonly Listed[] {
  let seen: readonly Listed[] | undefined
  let was: boolean | undefined
  let made: readonly Listed[] = []
  return () => {
    const now = tools()
    const is = active()
    if (now !== seen || is !== was) {
      const idle = 'there is no experiment session here yet'
      made = is
        ? now
        : now.map((entry) =>
            needing.has(entry.name) && entry.hidden === undefined ? { ...entry, hidden: idle } : entry,
          )
    }
    seen = now
    was = is
    return made
  }
}

// Gives tools access to the experiments of the workspace; the engine is loaded on first use.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { ResearchSession } from '../../research/session.ts'
import { sessionHomeOf } from '../../research/workspace/session-home.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { ExperimentCapability } from '../../tool/experiments.ts'

interface Place {
  workspace: string
  env: Readonly<Record<string, string | undefined>>
  run: RunCommand
  trusted: boolean
}

export function openExperimentTools({ workspace, env, run, trusted }: Place): ExperimentCapability {
  const data = dataDir(env)
  let mark: string | undefined
  const open = async (signal: AbortSignal): Promise<ResearchSession> => {
    const { openResearch } = await import('../../research/engine.ts')
    return openResearch({ cwd: workspace, data, env, run, trusted, signal })
  }
  return {
    // asked several times a turn
    active: () => {
      mark ??= join(sessionHomeOf(data, workspace), 'active')
      return existsSync(mark)
    },
    init: async (settings, signal) => (await open(signal)).init(settings),
    run: async (request, signal) => (await open(signal)).run(request),
    log: async (request, signal) => (await open(signal)).log(request),
  }
}

/** Tools that make sense only in a session. */
const needing = new Set(['run_experiment', 'log_experiment'])

/**
 * The tools of a model, without those of a session while there is none. The same array until something
 * changes.
 */
export function hideInactiveExperiments(
  tools: () => readonly ListedTool[],
  active: () => boolean,
): () => readonly ListedTool[] {
  let lastTools: readonly ListedTool[] | undefined
  let was: boolean | undefined
  let made: readonly ListedTool[] = []
  let needsOne = true
  return () => {
    const now = tools()
    if (now !== lastTools)
      needsOne = now.some(({ name, hidden }) => needing.has(name) && hidden === undefined)
    const is = needsOne && active()
    if (now !== lastTools || is !== was) {
      const idle = 'there is no experiment session here yet'
      made = is
        ? now
        : now.map((entry) =>
            needing.has(entry.name) && entry.hidden === undefined ? { ...entry, hidden: idle } : entry,
          )
    }
    lastTools = now
    was = is
    return made
  }
}

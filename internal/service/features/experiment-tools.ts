// Gives tools access to the experiments of the workspace; the engine is loaded on first use.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { Policy } from '../../policy/policy.ts'
import type { ResearchSession } from '../../research/session.ts'
import { sessionHomeOf } from '../../research/workspace/session-home.ts'
import type { ExperimentLocation } from '../../runtime/features.ts'
import type { ExperimentCapability } from '../../tool/experiments.ts'

export function openExperimentTools({
  workspace,
  env,
  run,
  trusted,
}: ExperimentLocation): ExperimentCapability {
  const data = dataDir(env)
  let mark: string | undefined
  const open = async (signal: AbortSignal, policy?: Policy): Promise<ResearchSession> => {
    const { openExperimentSession } = await import('./experiment-session.ts')
    return openExperimentSession({ cwd: workspace, data, env, run, trusted, signal }, policy)
  }
  return {
    // the path is computed once, because this function is called several times a turn
    active: () => {
      mark ??= join(sessionHomeOf(data, workspace), 'active')
      return existsSync(mark)
    },
    init: async (settings, signal, policy) => (await open(signal, policy)).init(settings),
    run: async (request, signal, policy) => (await open(signal, policy)).run(request),
    log: async (request, signal) => (await open(signal)).log(request),
  }
}

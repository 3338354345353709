// The service of somebody who joins runs: their sessions live elsewhere, the rest is looked up here.
import type { SessionService } from '../../session/client.ts'
import { openLocalService } from '../session/local-service.ts'
import { openRun, type RunPlace, startRunProcess } from './run-access.ts'

interface JoinOptions {
  workspace: string
  env: RunPlace['env']
}

/** Throws UserError when the configuration is broken. */
export async function joinRunService(
  { workspace: cwd, env }: JoinOptions,
  place: RunPlace,
): Promise<SessionService> {
  const local = await openLocalService({ cwd, env, addDirs: [], note: () => undefined })
  return {
    listThreads: local.listThreads,
    readChoices: local.readChoices,
    ...(local.listPastMessages && { listPastMessages: local.listPastMessages }),
    close: () => local.close(),
    async openSession(source, settings) {
      const order = { cwd, source, settings, addDirs: [] }
      if (source.kind === 'resume') return openRun({ ...order, source }, place)
      const { thread } = await startRunProcess(order, place)
      return openRun({ ...order, source: { kind: 'resume', thread } }, place)
    },
  }
}

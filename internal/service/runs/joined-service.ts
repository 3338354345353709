// Session service for a client whose sessions run in other processes. All other functions run
// in this process.
import { execPath } from 'node:process'
import type { SessionService } from '../../session/client.ts'
import { openLocalService, type ScreenSetup } from '../session/local-service.ts'
import { openRun, type RunPlace, startRunProcess } from './run-access.ts'

interface JoinOptions {
  workspace: string
  env: RunPlace['env']
}

/** Opens the service. Throws UserError if the configuration is invalid or the data directory is unusable. */
export async function joinRunService(
  { workspace: cwd, env }: JoinOptions,
  place: RunPlace,
): Promise<SessionService & ScreenSetup> {
  const local = await openLocalService({
    cwd,
    env,
    addDirs: [],
    note: () => undefined,
    program: [execPath, place.program],
  })
  const {
    listThreads,
    readThreadEnd,
    readThreadCost,
    changeThread,
    readChoices,
    listSkills,
    listPastMessages,
    runVerb,
  } = local
  const { ui, origins, readClipboardPicture, writeClipboard } = local
  return {
    listThreads,
    readChoices,
    ui,
    origins,
    readClipboardPicture,
    writeClipboard,
    readThreadEnd,
    readThreadCost,
    changeThread,
    listSkills,
    listPastMessages,
    runVerb,
    close: () => local.close(),
    async openSession(source, settings) {
      const order = { cwd, source, settings, addDirs: [] }
      if (source.kind === 'resume') return openRun({ ...order, source }, place)
      const { thread } = await startRunProcess(order, place)
      return openRun({ ...order, source: { kind: 'resume', thread } }, place)
    },
  }
}

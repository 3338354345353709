// Features of sessions that the runtime opens by functions, such as studies and reviews. Large modules load
// at their first use.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import type { Policy } from '../../policy/policy.ts'
import type { ResearchSession } from '../../research/session.ts'
import { sessionHomeOf } from '../../research/workspace/session-home.ts'
import type {
  ExperimentLocation,
  RuntimeFeatures,
  UserOptions,
  UserTerminal,
} from '../../runtime/features.ts'
import type { UserChannel } from '../../tool/ctx.ts'
import type { ExperimentCapability } from '../../tool/experiments.ts'
import { openAnswerFileUser } from '../../tui/answer-file.ts'

/** The features that every caller of `openRuntime` passes. */
export const features: RuntimeFeatures = {
  mail: async (scope, location) => (await import('./mailbox.ts')).openStudyMailbox(scope, location),
  cron: async (context, store) => (await import('./workspace-jobs.ts')).openSessionCron(context, store),
  research: openExperimentTools,
  verification: async (location) => (await import('./verification.ts')).openVerification(location),
  relay: async (settings, context, means) =>
    (await import('./session-relay.ts')).openSessionRelay(settings, context, means),
  user: openUser,
  review: (parent) => async (request, signal) =>
    (await import('./reviewer.ts')).createReviewer(parent)(request, signal),
}

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
    // the path is computed once, because this function is called several times a turn; before the first
    // experiment of this data directory, it is not computed
    active: () => {
      if (mark === undefined && !existsSync(join(data, 'research'))) return false
      mark ??= join(sessionHomeOf(data, workspace), 'active')
      return existsSync(mark)
    },
    init: async (settings, signal, policy) => (await open(signal, policy)).init(settings),
    run: async (request, signal, policy) => (await open(signal, policy)).run(request),
    log: async (request, signal) => (await open(signal)).log(request),
  }
}

/**
 * Opens the channel to a file of answers, else to the user at a terminal. Returns undefined if neither is
 * given. Throws UserError if the file does not exist.
 */
export function openUser(options: UserOptions): UserChannel | undefined {
  const { answers, terminal } = options
  if (answers === undefined && terminal === undefined) return undefined
  // a missing file is reported here, before the first paid request, and not with the first question
  if (answers !== undefined && !existsSync(answers))
    throw new UserError(`--answers: ${answers} does not exist`, { hint: 'name a file that exists' })
  const opened = once(async () => {
    if (answers !== undefined) return openAnswerFileUser(answers)
    return openTerminalUser(terminal as UserTerminal, options)
  })
  return { ask: async (prompt, signal) => (await opened()).ask(prompt, signal) }
}

async function openTerminalUser(
  { stdin, stderr, interrupt }: UserTerminal,
  { env, isNumbered = () => false }: UserOptions,
): Promise<UserChannel> {
  const { terminalUser } = await import('../../tui/prompt.ts')
  return terminalUser({ input: stdin, output: stderr, env, isNumbered, interrupt })
}

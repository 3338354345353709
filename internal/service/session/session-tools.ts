// The tools of a session: the toolset that its thread works with, and its commands in the background.
import type { EventDraft } from '../../event/event.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { createSessionJobs } from '../../runtime/agent/session-jobs.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { openRequestedToolset } from '../../runtime/toolset/requested-toolset.ts'
import { checkToolsetModel, chooseThreadToolset } from '../../runtime/toolset/thread-toolset.ts'
import type { ToolsetRequest } from '../../runtime/toolset/toolset-session.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { SessionWishes } from '../../session/client.ts'
import type { SessionJobs } from '../../tool/jobs.ts'
import type { SessionAgent } from './session-agent.ts'
import type { SessionThread } from './session-thread.ts'

/** Throws UserError for a toolset that is none, or that the thread or the model does not work with. */
export async function chooseSessionToolset(
  { loaded: { config } }: WorkspaceContext,
  wish: SessionWishes['toolset'],
  { profile, model }: SessionAgent,
  before: { toolset?: string } | undefined,
): Promise<ToolsetRequest> {
  const name = chooseThreadToolset({ asked: wish?.name, before, profile, config })
  const request = { ...wish, name }
  checkSessionModel(request, model)
  // which tools there are is known once somebody has looked for all of them
  await openRequestedToolset({ name }, () => [])
  return request
}

/** Throws UserError for a model that the tools of the session are nothing for. */
export function checkSessionModel(request: ToolsetRequest, model: SessionAgent['model']): void {
  checkToolsetModel(model, isNativeRequest(request))
}

const isNativeRequest = ({ name, only, extra }: ToolsetRequest) => name === 'anode' && !only && !extra

interface JobParts {
  thread: SessionThread
  runtime(): Promise<Runtime>
  report(draft: EventDraft): Promise<void>
  /** What a job prints, for those who look. */
  show(job: string, chunk: Uint8Array): void
}

/** They outlive the runs that started them; `onEnd` is called when one has ended by itself. */
export function lazySessionJobs({ thread, runtime, report, show }: JobParts, onEnd: () => void): SessionJobs {
  const run: RunCommand = async (command) => {
    const { can } = (await runtime()).resources
    return (can.run as RunCommand)(command)
  }
  const log = {
    async append(draft: EventDraft) {
      await report(draft)
      onEnd()
    },
    keep: async (call: string, content: string) => (await thread.open('')).record.keep(call, content),
  }
  return createSessionJobs(run, log, show)
}

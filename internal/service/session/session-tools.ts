// The toolset of a session: as asked, else as its thread works with, else as configured.
import { openRequestedToolset } from '../../runtime/toolset/requested-toolset.ts'
import { checkToolsetModel, chooseThreadToolset } from '../../runtime/toolset/thread-toolset.ts'
import type { ToolsetRequest } from '../../runtime/toolset/toolset-session.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { SessionWishes } from '../../session/client.ts'
import type { SessionAgent } from './session-agent.ts'

/** Throws UserError for an unknown toolset, or one that the thread or the model does not work with. */
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

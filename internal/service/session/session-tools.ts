// The toolset of a session: from the user, the thread, the profile or the configuration, in this order.
import {
  checkToolsetModel,
  chooseThreadToolset,
  openRequestedToolset,
} from '../../runtime/toolset/requested-toolset.ts'
import type { ToolsetRequest } from '../../runtime/toolset/toolset-session.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { SessionWishes } from '../../session/client.ts'
import type { SessionAgent } from './session-agent.ts'

/**
 * Selects the toolset. Throws UserError if it is unknown, or if the thread or the model does not support it.
 */
export async function chooseSessionToolset(
  { loaded: { config } }: WorkspaceContext,
  wish: SessionWishes['toolset'],
  { profile, model }: SessionAgent,
  before: { toolset?: string } | undefined,
): Promise<ToolsetRequest> {
  const name = chooseThreadToolset({ asked: wish?.name, before, profile, config })
  const request = { ...wish, name }
  checkSessionModel(request, model)
  // opening the toolset checks that it exists; this check needs no list of tools
  await openRequestedToolset({ name }, () => [])
  return request
}

/** Throws UserError if the model does not support the session's toolset. */
export function checkSessionModel(request: ToolsetRequest, model: SessionAgent['model']): void {
  checkToolsetModel(model, isNativeRequest(request))
}

const isNativeRequest = ({ name, only, extra }: ToolsetRequest) => name === 'anode' && !only && !extra

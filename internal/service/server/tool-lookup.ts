// Reader of the tools of a workspace for the server. Each request reads them again.
import type { EnvironmentVariables } from '../../base/environment.ts'
import type { ToolWishes } from '../../server/backend.ts'
import { type DirectCallSession, openDirectCalls } from '../calls/direct-call.ts'
import { describeContract, describeRow } from '../calls/tool-contract.ts'

/**
 * Returns all tools; a hidden tool has the reason why it is hidden. Throws UserError for an unknown profile.
 */
export function listWorkspaceTools(wishes: ToolWishes, env: EnvironmentVariables) {
  return withTools(wishes, env, ({ catalog }) => catalog.entries.map(describeRow))
}

/**
 * Returns the description of a tool, or undefined for an unknown tool. Throws UserError for
 * an unknown profile.
 */
export function showWorkspaceTool(name: string, wishes: ToolWishes, env: EnvironmentVariables) {
  return withTools(wishes, env, ({ catalog }) => {
    const entry = catalog.find(name)
    return entry && describeContract(entry)
  })
}

async function withTools<T>(
  { workspace: cwd, profile, signal }: ToolWishes,
  env: EnvironmentVariables,
  look: (session: DirectCallSession) => T,
): Promise<T> {
  const session = await openDirectCalls({
    cwd,
    env,
    signal,
    mode: 'ask',
    addDirs: [],
    approval: 'none',
    record: 'changes',
    profile,
    terminal: undefined,
  })
  try {
    return look(session)
  } finally {
    await session.close()
  }
}

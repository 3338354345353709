// The environment in a system prompt: the sandbox, the permission mode, and whether a user can approve calls.
import type { Mode } from '../policy/level.ts'

export interface AgentEnvironment {
  /** Whether commands run in a sandbox; undefined if the agent runs no commands. */
  isSandboxed?: boolean
  /** True if the model may request access from the sandbox. */
  canRequest?: boolean
  /** Permission mode; undefined for an agent that only reads. */
  mode?: Mode
  /** Whether a user can answer; undefined if it is unknown. */
  isUserPresent?: boolean
}

const modeNotes: Record<Mode, string> = {
  ask: 'Mode ask: changes and commands need approval.',
  edits: 'Mode edits: reading and editing in the workspace are allowed; commands need approval.',
  auto:
    'Mode auto: reading, editing, building and testing here are allowed; git commands that write, network ' +
    'access and deleting directories need approval.',
  unrestricted: 'Mode unrestricted: calls need no approval.',
}

/** Returns the text about the environment for the prompt; empty if nothing about it is known. */
export function describeEnvironment(environment: AgentEnvironment): string {
  const { isSandboxed, mode, isUserPresent } = environment
  // if no user can approve a request for more access, it is denied
  const isAnswered = isUserPresent !== false || mode === 'unrestricted'
  const canRequest = environment.canRequest === true && isAnswered
  const parts: string[] = []
  if (isSandboxed === true) {
    parts.push(
      'Commands run in a sandbox: network only on 127.0.0.1, writes only in the workspace and the ' +
        `temporary directory${canRequest ? '; `needs` of bash asks for more' : ''}. ` +
        'A failed download means this, not a broken tool.',
    )
  }
  if (isSandboxed === false) parts.push('Commands run without a sandbox.')
  if (mode !== undefined) parts.push(modeNotes[mode])
  if (mode !== undefined && isUserPresent === false && mode !== 'unrestricted')
    parts.push('No user is present: a call that needs approval is denied.')
  return parts.join(' ')
}

// What a system prompt says of where an agent works: its sandbox, its permission mode, who can approve.
import type { Mode } from '../policy/level.ts'

export interface AgentEnvironment {
  /** Whether commands run in a sandbox; absent where the agent runs no commands. */
  isSandboxed?: boolean
  /** The model may name what the sandbox is to allow. */
  canRequest?: boolean
  /** Absent for an agent that only reads. */
  mode?: Mode
  /** Whether a user can answer; absent where the agent does not know. */
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

/** Returns an empty string where there is nothing to say. */
export function describeEnvironment(environment: AgentEnvironment): string {
  const { isSandboxed, mode, isUserPresent } = environment
  // where no user can approve a request for more, it is denied
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

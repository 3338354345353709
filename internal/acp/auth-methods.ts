// Ways in which the user of an editor gives Anode the key of a model provider: `anode login` in a terminal.
import { type AuthMethod, type ClientCapabilities, RequestError } from '@agentclientprotocol/sdk/unstable'
import { UserError } from '../base/errors.ts'
import type { AcpBackend } from './acp-backend.ts'
import { toRequestError } from './acp-errors.ts'

const id = 'anode-login'
const name = 'anode login'

/** Returns one way to log in: a terminal that the editor opens, else a text with the command to run. */
export function listAuthMethods(client: ClientCapabilities | undefined): AuthMethod[] {
  if (client?.auth?.terminal === true) {
    const description = 'Choose a model provider and enter its key in a terminal'
    // the editor appends `args` to the command that starts the agent: `anode acp --login`
    return [{ type: 'terminal', id, name, description, args: ['--login'] }]
  }
  return [{ id, name, description: 'Run `anode login PROVIDER` in a terminal, then choose this' }]
}

/** Throws RequestError for an unknown method, and while no model is set up. */
export async function checkLogin(method: string, backend: AcpBackend): Promise<void> {
  if (method !== id)
    throw toRequestError(new UserError(`no way to log in is named ${method}`, { hint: `use ${id}` }))
  const obstacle = await backend.findModelObstacle().catch((error: unknown) => {
    throw toRequestError(error)
  })
  if (obstacle !== undefined) throw RequestError.authRequired(undefined, obstacle)
}

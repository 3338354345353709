// Check of the workspace that a client wants to use.
import { isAbsolute } from 'node:path'
import type { ServerBackend } from '../backend.ts'
import type { AccessScope } from './access-tokens.ts'
import { ProblemError } from './problem.ts'

/**
 * Throws ProblemError 400 for a relative path. A client with the scope `approve` may open any other
 * workspace. For other clients, throws ProblemError 403 for a workspace that the user has neither used nor
 * trusted, and UserError for a directory that does not exist or belongs to Anode.
 */
export async function demandWorkspace(
  workspace: string,
  backend: Pick<ServerBackend, 'isKnownWorkspace'>,
  scopes: readonly AccessScope[],
): Promise<void> {
  if (!isAbsolute(workspace)) throw new ProblemError(400, 'workspace must be an absolute path')
  if (scopes.includes('approve') || (await backend.isKnownWorkspace(workspace))) return
  const detail = 'run Anode in it once, trust it with `anode trust`, or use a token of the scope approve'
  throw new ProblemError(403, `the workspace ${workspace} has no runs and is not trusted`, detail)
}

// Access to the server for commands that show its web page. It uses the active server, or starts one
// in the background.
import { dataDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { startAndForget } from '../../process/detached-start.ts'
import type { RunPlace } from '../runs/run-access.ts'
import { findServerAddress } from './server-service.ts'
import { giveToken, openServerFolder } from './token-file.ts'

interface PageAccess {
  address: string
  /** A token that can only read. */
  token: string
}

/** Lifetime of the token in milliseconds: 12 hours, so that a page stays usable overnight. */
const ttlMs = 12 * 60 * 60_000

/**
 * Returns access to the page of the active server. Without one, starts a server, which ends when it is
 * unused. Throws UserError if the active server has no port, or if a server cannot start.
 */
export async function ensurePageServer({ env, program }: RunPlace): Promise<PageAccess> {
  const data = dataDir(env)
  const address = (await findServerAddress(data)) ?? (await startServerProcess({ env, program }))
  return { address, token: await giveToken(data, 'read', ttlMs) }
}

async function startServerProcess({ env, program }: RunPlace): Promise<string> {
  const cwd = await openServerFolder(dataDir(env))
  const line = await startAndForget(['serve', '--port', '0', '--json'], { program, cwd, env })
  const { address } = (line === '' ? {} : JSON.parse(line)) as { address?: string }
  if (address !== undefined) return address
  throw new UserError('the server that runs listens on no port', {
    hint: '`anode serve stop` ends it; runs continue',
  })
}

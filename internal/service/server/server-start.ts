// The server for somebody who needs its page: the one that runs, else a new one in a process of its own.
import { dataDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { startAndForget } from '../../process/detached-start.ts'
import type { RunPlace } from '../runs/run-access.ts'
import { findServerAddress } from './server-service.ts'
import { giveToken, openServerFolder } from './token-file.ts'

interface PageAccess {
  address: string
  /** Looks, and does nothing. */
  token: string
}

/** How long the token is worth something: a long night. */
const ttlMs = 12 * 60 * 60_000

/** A new server ends by itself when unused. Throws UserError where one runs that listens on no port. */
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
    hint: '`anode serve stop` ends it; runs go on',
  })
}

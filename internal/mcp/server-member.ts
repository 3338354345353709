// One configured server in use: its listing, whether it is still as approved, and the connection once it is
// needed.

import type { Client } from '@modelcontextprotocol/client'
import { FailureError, messageOf } from '../base/errors.ts'
import { timeLimit } from '../base/time-limit.ts'
import { readApproval } from '../trust/approval.ts'
import { type ApprovalStanding, compareApproval, meetMcpServer } from './approval.ts'
import type { McpServer } from './config/server-config.ts'
import { type McpSession, type McpSessionOptions, openMcpSession } from './connection/mcp-session.ts'
import { requestListing } from './listing-request.ts'
import { readListing, type ServerListing, storeListing } from './server-listing.ts'

/**
 * How long a server that could not be listed is left alone when somebody only wants to know what there is.
 */
const patienceMs = 10 * 60_000

export interface McpMember {
  readonly server: McpServer
  /** What it told last; of another launch only while that one is not approved. */
  readonly listing: ServerListing | undefined
  readonly standing: ApprovalStanding
  /** Why it could not be listed, or undefined. */
  readonly fault: string | undefined
  /** True when what is known of it is missing, of another launch, or of a failure that is some time ago. */
  isDue(): boolean
  /** Starts it, if it does not run, and asks for everything. Never rejects: see `fault`. */
  refresh(signal: AbortSignal): Promise<void>
  /** Connects on first use; refuses with FailureError `unavailable` what is not as approved. */
  use: McpSession['use']
  close(): Promise<void>
}

/** `changed` is called whenever listing or standing are not what they were. Costs two small files. */
export function memberOf(
  server: McpServer,
  sessionOptions: McpSessionOptions,
  changed: () => void,
): McpMember {
  const { dataDir } = sessionOptions
  let listing = readListing(dataDir, server.key)
  let now = compareApproval(server, readApproval(dataDir, server.key), listing?.tools ?? [])
  let session: McpSession | undefined
  const fits = () => listing?.print === server.print

  const learn = async (client: Client, era: ServerListing['era']) => {
    listing = await requestListing(client, server.print, era)
    now = await meetMcpServer(dataDir, server, listing)
    await storeListing(dataDir, server.key, listing)
    changed()
  }
  const open = (): McpSession => {
    session ??= openMcpSession(server, sessionOptions, fits() ? listing?.era : undefined, {
      up: learn,
      changed: () => void relist().catch(() => undefined),
    })
    return session
  }
  const relist = () =>
    open().use('tell what it offers', timeLimit(server.startMs), (client) => learn(client, listing?.era))
  const failed = async (error: unknown) => {
    // the protocol is found out anew: the server may have become another version
    const { era: _, ...before } = (fits() ? listing : undefined) ?? ({} as Partial<ServerListing>)
    listing = {
      tools: [],
      prompts: [],
      resources: [],
      ...before,
      print: server.print,
      at: new Date().toISOString(),
      failed: messageOf(error),
    }
    await storeListing(dataDir, server.key, listing)
    changed()
  }
  return {
    server,
    get listing() {
      return fits() || now.launch !== undefined ? listing : undefined
    },
    get standing() {
      return now
    },
    get fault() {
      return fits() ? listing?.failed : undefined
    },
    isDue() {
      if (now.launch !== undefined) return false
      if (!listing || !fits()) return true
      return listing.failed !== undefined && Date.now() - Date.parse(listing.at) > patienceMs
    },
    async refresh(signal) {
      if (now.launch !== undefined) return
      const at = listing?.at
      try {
        // connecting asks for everything; a connection that was there already is asked again
        await open().use('tell what it offers', signal, async () => undefined)
        if (listing?.at === at) await relist()
      } catch (error) {
        if (!signal.aborted) await failed(error)
      }
    },
    async use(doing, signal, work) {
      if (now.launch !== undefined) throw refuseServer(server, now.launch)
      return open().use(doing, signal, work)
    },
    async close() {
      await session?.close()
    },
  }
}

export function refuseServer(server: McpServer, why: string): FailureError {
  return new FailureError({
    code: 'unavailable',
    message: `the MCP server ${server.name} is not used: ${why}`,
  })
}

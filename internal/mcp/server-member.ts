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

/** What a server is doing while it is asked for its lists, as errors say it. */
const listingRequest = 'tell what it offers'

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
  return new ConfiguredMember(server, sessionOptions, changed)
}

class ConfiguredMember implements McpMember {
  readonly server: McpServer
  readonly #options: McpSessionOptions
  readonly #changed: () => void
  #listing: ServerListing | undefined
  #standing: ApprovalStanding
  #session: McpSession | undefined

  constructor(server: McpServer, options: McpSessionOptions, changed: () => void) {
    this.server = server
    this.#options = options
    this.#changed = changed
    this.#listing = readListing(options.dataDir, server.key)
    const approval = readApproval(options.dataDir, server.key)
    this.#standing = compareApproval(server, approval, this.#listing?.tools ?? [])
  }

  get listing(): ServerListing | undefined {
    return this.#fits() || this.#standing.launch !== undefined ? this.#listing : undefined
  }

  get standing(): ApprovalStanding {
    return this.#standing
  }

  get fault(): string | undefined {
    return this.#fits() ? this.#listing?.failed : undefined
  }

  isDue(): boolean {
    const listing = this.#listing
    if (this.#standing.launch !== undefined) return false
    if (!listing || !this.#fits()) return true
    return listing.failed !== undefined && Date.now() - Date.parse(listing.at) > patienceMs
  }

  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#standing.launch !== undefined) return
    const at = this.#listing?.at
    try {
      // connecting asks for everything; a connection that was there already is asked again
      await this.#open().use(listingRequest, signal, async () => undefined)
      if (this.#listing?.at === at) await this.#relist()
    } catch (error) {
      if (!signal.aborted) await this.#fail(error)
    }
  }

  async use<T>(doing: string, signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#standing.launch !== undefined) throw refuseServer(this.server, this.#standing.launch)
    return this.#open().use(doing, signal, work)
  }

  async close(): Promise<void> {
    await this.#session?.close()
  }

  /** Whether what is known is of the server as it is configured. */
  #fits(): boolean {
    return this.#listing?.print === this.server.print
  }

  #open(): McpSession {
    const era = this.#fits() ? this.#listing?.era : undefined
    this.#session ??= openMcpSession(this.server, this.#options, era, {
      up: (client, connected) => this.#learn(client, connected),
      changed: () => void this.#relist().catch(() => undefined),
    })
    return this.#session
  }

  #relist(): Promise<void> {
    return this.#open().use(listingRequest, timeLimit(this.server.startMs), (client) =>
      this.#learn(client, this.#listing?.era),
    )
  }

  async #learn(client: Client, era: ServerListing['era']): Promise<void> {
    const listing = await requestListing(client, this.server.print, era)
    this.#listing = listing
    this.#standing = await meetMcpServer(this.#options.dataDir, this.server, listing)
    await this.#store(listing)
  }

  async #fail(error: unknown): Promise<void> {
    // the protocol is found out anew: the server may have become another version
    const known: Partial<ServerListing> = (this.#fits() && this.#listing) || {}
    const { era: _, ...before } = known
    await this.#store({
      tools: [],
      prompts: [],
      resources: [],
      ...before,
      print: this.server.print,
      at: new Date().toISOString(),
      failed: this.#explain(error),
    })
  }

  /** With what a person can do: until then it stays away, or for some time. */
  #explain(error: unknown): string {
    const { code, hint } = error instanceof FailureError ? error.failure : {}
    if (hint !== undefined) return messageOf(error)
    const retry = '`anode mcp tools` tries it again'
    const next = code === 'not_found' ? 'install it, or name another one' : retry
    return `${messageOf(error)}: ${next}; \`anode mcp show ${this.server.name}\` shows how it starts`
  }

  async #store(listing: ServerListing): Promise<void> {
    this.#listing = listing
    await storeListing(this.#options.dataDir, this.server.key, listing)
    this.#changed()
  }
}

export function refuseServer(server: McpServer, why: string): FailureError {
  return new FailureError({
    code: 'unavailable',
    message: `the MCP server ${server.name} is not used: ${why}`,
  })
}

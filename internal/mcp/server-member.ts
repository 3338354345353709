// One configured server in use: its list of tools, its approval, and its connection, which opens
// on first use.

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
 * Milliseconds until Anode requests the lists of a server again after a failure, if no call uses
 * the server before.
 */
const patienceMs = 10 * 60_000

/** Text that names this operation in error messages while the lists are requested. */
const listingRequest = 'tell what it offers'

export interface McpMember {
  readonly server: McpServer
  /**
   * Latest lists of tools, prompts and resources. They may be of an earlier configuration only while the user
   * has not approved a change of how the server is started.
   */
  readonly listing: ServerListing | undefined
  readonly standing: ApprovalStanding
  /** Reason why the listing failed, or undefined. */
  readonly fault: string | undefined
  /**
   * Returns true if the lists are missing, are of another configuration of the server, or their
   * request failed more than 10 minutes ago. Returns false while a change of how the server is started
   * is not approved.
   */
  isDue(): boolean
  /**
   * Starts the server if needed and requests its lists. Does nothing while a change of how the server is
   * started is not approved. A failed request does not reject: `fault` then contains the reason, unless
   * `signal` has aborted.
   */
  refresh(signal: AbortSignal): Promise<void>
  /**
   * Runs work with the server, connecting on first use. Rejects with FailureError `unavailable` while a
   * change of how the server is started is not approved.
   */
  use: McpSession['use']
  close(): Promise<void>
}

/**
 * Returns the member. `changed` is called after each new listing, and after each failed `refresh` whose
 * signal has not aborted. Reads the stored listing and the approval at once.
 */
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
      // A new connection requests the lists by itself, but an existing connection does not, so they
      // are requested here.
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

  /** Returns true if the stored lists are of the present configuration of the server. */
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
    // The stored protocol version is dropped, because a new version of the server may use another protocol.
    const lastListing: Partial<ServerListing> = (this.#fits() && this.#listing) || {}
    const { era: _, ...before } = lastListing
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

  /**
   * Returns the message of an error with what the user can do, or without it if the error has a hint. The
   * server is not listed again until the user or a call of its tools starts it, or 10 minutes have passed.
   */
  #explain(error: unknown): string {
    const { code, hint } = error instanceof FailureError ? error.failure : {}
    const message = this.server.hide(messageOf(error))
    if (hint !== undefined) return message
    const retry = '`anode mcp tools` tries it again'
    const next = code === 'not_found' ? 'install it, or name another one' : retry
    return `${message}: ${next}; \`anode mcp show ${this.server.name}\` shows how it starts`
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

// Type of an HTTP route, and of the arguments that its handler gets.
import type * as z from 'zod/mini'
import type { ServerBackend } from '../backend.ts'
import type { AccessScope } from './access-tokens.ts'
import type { PageSession } from './page-session.ts'
import type { ServerCounts } from './server-counts.ts'

export interface RouteCall {
  backend: ServerBackend
  counts: ServerCounts
  param(name: string): string
  query: URLSearchParams
  /** Body of the request, already checked by the schema of the route. */
  body: unknown
  /**
   * Idempotency key that the client sends, so that a request that is sent twice counts once; undefined if it
   * sends none, or if the route has no body.
   */
  id: string | undefined
  /**
   * The idempotency key together with the token, the method and the path of the request, so that one client
   * cannot use up the key of another. Undefined without a key.
   */
  onceKey: string | undefined
  header(name: string): string | undefined
  scopes: readonly AccessScope[]
  /** Opens a session of the page with the rights of the client. */
  openPage(): Promise<PageSession>
  signal: AbortSignal
}

export interface ServerRoute {
  method: 'get' | 'post'
  path: string
  summary: string
  scope: AccessScope
  body?: z.ZodMiniType
  query?: Readonly<Record<string, string>>
  /** Media type of a successful response. */
  gives: 'application/json' | 'text/event-stream' | 'text/markdown' | 'text/plain'
  /** Set for a route that starts something. A successful response then has the status 201. */
  starts?: true
  handle(call: RouteCall): Promise<Response> | Response
}

/** Returns the response of a route with `starts`. */
export const sendStarted = (value: unknown): Response => Response.json(value, { status: 201 })

export const sendJson = (value: unknown, status = 200) => Response.json(value, { status })

// Type of a route, and of its arguments.
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
  /** Checked against the route's schema. */
  body: unknown
  /** Idempotency key of the client: a request that is sent twice counts once. */
  id: string | undefined
  /** Key with the token and the URL of the request, so that another client cannot use it up. */
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
  /** Type of the response. */
  gives: 'application/json' | 'text/event-stream' | 'text/markdown' | 'text/plain'
  handle(call: RouteCall): Promise<Response> | Response
}

export const sendJson = (value: unknown, status = 200) => Response.json(value, { status })

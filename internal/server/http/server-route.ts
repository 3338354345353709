// What a route of the interface is, and what it is handed with a request.
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
  /** The client's own name of what it asks for: sent twice it counts once. */
  id: string | undefined
  /** The id with the token and the URL that it was sent with, so that no other client can use it up. */
  onceKey: string | undefined
  header(name: string): string | undefined
  scopes: readonly AccessScope[]
  /** Opens a session of the page with the rights of whoever asks. */
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
  /** Type of what it gives. */
  gives: 'application/json' | 'text/event-stream' | 'text/markdown' | 'text/plain'
  handle(call: RouteCall): Promise<Response> | Response
}

export const sendJson = (value: unknown, status = 200) => Response.json(value, { status })

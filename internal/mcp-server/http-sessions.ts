// HTTP sessions of clients of older protocol revisions, which start at the first request and end at the
// client's request or after a time without use.
import { randomBytes } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { createCallRounds } from './call-rounds.ts'
import { createMcpServer } from './server.ts'
import type { McpSurface } from './surface.ts'

interface HttpSession {
  transport: WebStandardStreamableHTTPServerTransport
  /** Number of requests of this session whose connection is open. */
  open: number
  /**
   * Time at which the last request of this session ended, or else the session began, in
   * milliseconds since 1970.
   */
  used: number
  close(): Promise<void>
}

interface HttpSessions {
  handle(request: Request): Promise<Response>
  close(): Promise<void>
}

const maxSessions = 64
/**
 * Milliseconds after which an unused session is closed once another one begins, because a client that leaves
 * seldom ends its session.
 */
const maxUnusedMs = 30 * 60_000

export function createHttpSessions(surface: McpSurface): HttpSessions {
  const sessions = new Map<string, HttpSession>()
  const closeUnused = async () => {
    const limit = Date.now() - maxUnusedMs
    for (const session of sessions.values())
      if (session.open === 0 && session.used < limit) await session.close()
  }
  const open = async () => {
    await closeUnused()
    if (sessions.size >= maxSessions) return undefined
    return openHttpSession(surface, sessions)
  }
  return {
    async handle(request) {
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const session = sessions.get(id)
        return session ? answerRequest(session, request) : refuseRequest(404, 'unknown session')
      }
      const session = await open()
      if (!session) return refuseRequest(503, `${maxSessions} sessions are open already`)
      const response = await answerRequest(session, request)
      // The request did not open a session (it was not `initialize`), so its new transport is closed again.
      if (session.transport.sessionId === undefined) await session.close()
      return response
    },
    async close() {
      for (const session of [...sessions.values()]) await session.close()
    },
  }
}

async function openHttpSession(
  surface: McpSurface,
  sessions: Map<string, HttpSession>,
): Promise<HttpSession> {
  const rounds = createCallRounds(surface)
  const server = createMcpServer(surface, { rounds })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomBytes(32).toString('base64url'),
    onsessioninitialized: (id) => void sessions.set(id, session),
  })
  const session: HttpSession = { transport, open: 0, used: Date.now(), close: () => server.close() }
  // The session is also removed when the client ends it, not only when it was unused for too long.
  const endSubscriptions = server.onclose
  server.onclose = () => {
    endSubscriptions?.()
    rounds.close()
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId)
  }
  await server.connect(transport)
  return session
}

async function answerRequest(session: HttpSession, request: Request): Promise<Response> {
  session.open++
  const endRequest = () => {
    session.open--
    session.used = Date.now()
  }
  request.signal.addEventListener('abort', endRequest, { once: true })
  // a client that has disconnected already causes no further event
  if (request.signal.aborted) endRequest()
  return session.transport.handleRequest(request)
}

function refuseRequest(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status })
}

// MCP over streamable HTTP: a request of the newer revision stands alone, those of older ones have sessions.
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import { createCallRounds } from './call-rounds.ts'
import { createHttpSessions } from './http-sessions.ts'
import { createMcpServer } from './server.ts'
import type { McpSurface } from './surface.ts'

/** Streams of clients that wait to be told of changes. */
const maxSubscriptions = 64

interface McpHttpService {
  /** Who may ask has been decided before. The signal of a request is its connection. */
  handle(request: Request): Promise<Response>
  /** What then runs is cancelled. */
  close(): Promise<void>
}

export function createMcpHttpService(surface: McpSurface): McpHttpService {
  // the answer to a question comes with a request of its own
  const rounds = createCallRounds(surface)
  const toolsChanged = () => requests.notify.toolsChanged()
  const requests = createMcpHandler(() => createMcpServer(surface, { rounds, toolsChanged }), {
    legacy: 'reject',
    maxSubscriptions,
  })
  const sessions = createHttpSessions(surface)
  return {
    handle: async (request) =>
      (await isLegacyRequest(request)) ? sessions.handle(request) : requests.fetch(request),
    async close() {
      await requests.close()
      await sessions.close()
      rounds.close()
    },
  }
}

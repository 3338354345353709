// MCP over streamable HTTP: requests of the newer revision are independent, older revisions use sessions.
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import { createCallRounds } from './call-rounds.ts'
import { createHttpSessions } from './http-sessions.ts'
import { createMcpServer } from './server.ts'
import type { McpSurface } from './surface.ts'

/** Largest number of open streams for clients that want notifications of changes. */
const maxSubscriptions = 64

interface McpHttpService {
  /**
   * Handles a request that is already authorized. The signal of `request` aborts when its connection closes.
   */
  handle(request: Request): Promise<Response>
  /** Cancels all running calls and closes the sessions. */
  close(): Promise<void>
}

export function createMcpHttpService(surface: McpSurface): McpHttpService {
  // the answer to a question arrives in a separate request
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

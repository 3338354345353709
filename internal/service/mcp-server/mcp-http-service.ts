// MCP server over HTTP on this machine, with the tokens and checks of the user's Anode server.
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { untilAborted } from '../../base/time-limit.ts'
import { createMcpHttpService } from '../../mcp-server/http-service.ts'
import type { McpSurface } from '../../mcp-server/surface.ts'
import { listenForClients } from '../../server/http/listening-server.ts'
import { ProblemError, problemOf } from '../../server/http/problem.ts'
import { createRequestGuard, demandScope, loopbackOrigins } from '../../server/http/request-guard.ts'
import { ensureOwnToken, readTokens, tokenPath } from '../server/token-file.ts'

export interface HttpServiceOptions {
  env: EnvironmentVariables
  /** The port; 0 selects any free port. */
  port: number
  signal: AbortSignal
  /** Called when the server accepts connections. */
  ready(where: { address: string; tokenFile: string }): void
}

const endpoint = '/mcp'

/** Serves until the signal aborts. Throws UserError if the port cannot be used. */
export async function serveMcpOverHttp(
  surface: McpSurface,
  { env, port: requestedPort, signal, ready }: HttpServiceOptions,
): Promise<void> {
  const data = dataDir(env)
  await ensureOwnToken(data)
  const origins: string[] = []
  const guard = createRequestGuard({ tokens: () => readTokens(data), origins: () => origins })
  const service = createMcpHttpService(surface)
  const admit = async (request: Request) => {
    // a client that calls tools here can also approve them, so it needs the scope `approve`
    demandScope((await guard.admit(request, false)).scopes, 'approve')
    if (new URL(request.url).pathname !== endpoint) throw new ProblemError(404, 'there is nothing here')
    return service.handle(request)
  }
  const server = await listenForClients({
    port: requestedPort,
    handle: (request) => admit(request).catch(problemOf),
  })
  const port = server.port as number
  origins.push(...loopbackOrigins(port))
  ready({ address: `http://127.0.0.1:${port}${endpoint}`, tokenFile: tokenPath(data) })
  await untilAborted(signal)
  await service.close()
  await server.close()
}

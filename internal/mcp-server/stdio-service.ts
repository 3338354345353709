// MCP service over a pair of streams, from the first message to the end of the input.
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createCallRounds } from './call-rounds.ts'
import { createMcpServer } from './server.ts'
import type { McpSurface } from './surface.ts'

interface StdioStreams {
  input: Readable
  /** Stream that only protocol messages are written to. */
  output: Writable
  signal: AbortSignal
}

/**
 * Resolves when the input has ended, a stream has failed or `signal` aborts. Calls that still run
 * are then cancelled.
 */
export async function serveMcpOverStdio(surface: McpSurface, streams: StdioStreams): Promise<void> {
  const { input, output, signal } = streams
  const serviceEnd = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve())
    output.once('error', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  const rounds = createCallRounds(surface)
  const handle = serveStdio(() => createMcpServer(surface, { rounds }), {
    transport: new StdioServerTransport(input, output),
  })
  await serviceEnd
  await handle.close()
  rounds.close()
}

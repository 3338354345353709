// ACP server over a pair of streams, from the first message to the end of the input.
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk/unstable'
import type { AcpBackend } from './acp-backend.ts'
import { createAgentApp } from './agent-app.ts'

interface AcpStreams {
  input: Readable
  /** Stream that carries only protocol messages. */
  output: Writable
  signal: AbortSignal
}

/**
 * Serves one editor until it disconnects or `signal` aborts. Then closes all sessions, which stops active
 * runs, and resolves; the threads stay stored.
 */
export async function serveAcpOverStdio(backend: AcpBackend, streams: AcpStreams): Promise<void> {
  const { input, output, signal } = streams
  const { app, close } = createAgentApp(backend)
  // the error of a closed pipe is ignored here, because the connection ends and reports it
  output.on('error', () => undefined)
  const toClient = Writable.toWeb(output) as WritableStream<Uint8Array>
  const fromClient = Readable.toWeb(input) as unknown as ReadableStream<Uint8Array>
  const connection = app.connect(ndJsonStream(toClient, fromClient))
  const end = () => connection.close()
  output.once('close', end)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  await connection.closed
  await close()
}

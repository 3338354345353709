// ACP server over a pair of streams, from the first message to the end of the input.
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk/unstable'
import type { AcpBackend } from './acp-backend.ts'
import { createAgentApp } from './agent-app.ts'

interface AcpStreams {
  input: Readable
  /** Stream for protocol messages alone. */
  output: Writable
  signal: AbortSignal
}

/**
 * Resolves when the editor has disconnected or `signal` aborts. Active runs are stopped, their threads stay.
 */
export async function serveAcpOverStdio(backend: AcpBackend, streams: AcpStreams): Promise<void> {
  const { input, output, signal } = streams
  const { app, close } = createAgentApp(backend)
  // a closed pipe ends the connection, which reports it
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

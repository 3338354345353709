// Services that offer the tools of a workspace over MCP. On standard input and output, they end when the
// client disconnects or the signal aborts; over HTTP, only when the signal aborts.
import type { Readable, Writable } from 'node:stream'
import { serveMcpOverStdio } from '../../mcp-server/stdio-service.ts'
import { type HttpServiceOptions, serveMcpOverHttp } from './mcp-http-service.ts'
import { type OpenedSurface, openMcpSurface, type SurfaceOptions } from './mcp-surface.ts'

/** Called with notices for the user. */
type NoteWriter = (text: string) => void

interface ServiceStreams {
  input: Readable
  output: Writable
  note: NoteWriter
}

/** Serves one client until it disconnects or the signal aborts. Throws UserError for an unknown profile. */
export function serveMcpToClient(
  options: SurfaceOptions,
  { input, output, note }: ServiceStreams,
): Promise<void> {
  return withSurface(options, note, async (surface) => {
    await serveMcpOverStdio(surface, { input, output, signal: options.signal })
  })
}

/**
 * Serves on loopback until the signal aborts. Throws UserError for an unknown profile or an unusable port.
 */
export function serveMcpToHttpClients(
  options: SurfaceOptions,
  { port, ready, note }: Pick<HttpServiceOptions, 'port' | 'ready'> & { note: NoteWriter },
): Promise<void> {
  return withSurface(options, note, async (surface) => {
    await serveMcpOverHttp(surface, { env: options.env, signal: options.signal, port, ready })
  })
}

async function withSurface(
  options: SurfaceOptions,
  note: NoteWriter,
  serve: (surface: OpenedSurface) => Promise<void>,
): Promise<void> {
  const surface = await openMcpSurface(options)
  try {
    for (const text of surface.notes) note(text)
    await serve(surface)
  } finally {
    await surface.close()
  }
}

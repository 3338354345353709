// Opens the registry of a workspace, serves it over MCP, and closes it when nobody can ask any more.
import type { Readable, Writable } from 'node:stream'
import type { HttpServiceOptions } from './mcp-http-service.ts'
import { type OpenedSurface, openMcpSurface, type SurfaceOptions } from './mcp-surface.ts'

/** Called with what the person should know. */
type NoteWriter = (text: string) => void

interface ServiceStreams {
  input: Readable
  output: Writable
  note: NoteWriter
}

/** To one client, until that has gone. Throws UserError for a profile that is not there. */
export function serveMcpToClient(
  options: SurfaceOptions,
  { input, output, note }: ServiceStreams,
): Promise<void> {
  return withSurface(options, note, async (surface) => {
    const { serveMcpOverStdio } = await import('../../mcp-server/stdio-service.ts')
    await serveMcpOverStdio(surface, { input, output, signal: options.signal })
  })
}

/** On loopback, until the signal ends it. Throws UserError for a profile or a port that it cannot have. */
export function serveMcpToHttpClients(
  options: SurfaceOptions,
  { port, ready, note }: Pick<HttpServiceOptions, 'port' | 'ready'> & { note: NoteWriter },
): Promise<void> {
  return withSurface(options, note, async (surface) => {
    const { serveMcpOverHttp } = await import('./mcp-http-service.ts')
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

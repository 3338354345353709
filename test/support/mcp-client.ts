// The official client on the surface of a scratch workspace, in this process, over a pair of streams.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client, type ClientOptions, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { onTestFinished } from 'vitest'
import { serveMcpOverStdio } from '../../internal/mcp-server/stdio-service.ts'
import type { McpSurface } from '../../internal/mcp-server/surface.ts'
import { openMcpSurface, type SurfaceOptions } from '../../internal/service/mcp-server/mcp-surface.ts'
import { scratch } from './scratch.ts'

export interface McpWorkspace {
  dir: string
  options: SurfaceOptions
}

export function mcpWorkspace(): McpWorkspace {
  const dir = scratch()
  writeFileSync(join(dir, 'a.txt'), 'one\ntwo\n')
  const env = { PATH: process.env.PATH, HOME: dir, ANODE_DATA_DIR: join(scratch(), 'data') }
  const signal = new AbortController().signal
  return { dir, options: { cwd: dir, env, signal, mode: 'ask', addDirs: [] } }
}

type Answer = (form: { message: string; requestedSchema: unknown }) => ElicitResult

interface Connection {
  client: Client
  /** Resolves when the server has ended. */
  ended: Promise<void>
  input: PassThrough
}

/**
 * Connects a client. `answer` acts as the user, and without it the client has no user. `era` is
 * the protocol's revision.
 */
export async function connectClient(
  surface: McpSurface,
  era: 'modern' | 'legacy' = 'modern',
  answer?: Answer,
): Promise<Connection> {
  const input = new PassThrough()
  const output = new PassThrough()
  const ended = serveMcpOverStdio(surface, { input, output, signal: new AbortController().signal })
  const options: ClientOptions = {
    capabilities: answer ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: era === 'legacy' ? 'legacy' : 'auto' },
  }
  const client = new Client({ name: 'test', version: '0' }, options)
  if (answer)
    client.setRequestHandler('elicitation/create', async ({ params }) =>
      answer(params as Parameters<Answer>[0]),
    )
  // the framing is the same on both sides
  await client.connect(new StdioServerTransport(output, input))
  onTestFinished(async () => {
    input.end()
    await ended
    await client.close()
  })
  return { client, ended, input }
}

/** Connects a client to the registry of that workspace. It is closed with the test. */
export async function connectWorkspace(
  { options }: McpWorkspace,
  over: Partial<SurfaceOptions> = {},
  ...rest: [('modern' | 'legacy')?, Answer?]
): Promise<Connection> {
  const surface = await openMcpSurface({ ...options, ...over })
  onTestFinished(() => surface.close())
  return connectClient(surface, ...rest)
}

// The MCP server of a scratch workspace over HTTP, in this process, and its official client.
import { readFileSync } from 'node:fs'
import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { dataDir } from '../../internal/base/dirs.ts'
import { serveMcpToHttpClients } from '../../internal/service/mcp-server/mcp-service.ts'
import type { McpWorkspace } from './mcp-client.ts'

interface McpHttpAccess {
  address: string
  port: number
  token: string
  data: string
}

/** Starts a server that ends with the test. */
export async function serveOverHttp({ options }: McpWorkspace): Promise<McpHttpAccess> {
  const stop = new AbortController()
  let ended: Promise<void> | undefined
  const { address, tokenFile } = await new Promise<{ address: string; tokenFile: string }>(
    (resolve, reject) => {
      const how = { port: 0, ready: resolve, note: () => undefined }
      ended = serveMcpToHttpClients({ ...options, signal: stop.signal }, how)
      ended.catch(reject)
    },
  )
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  const token = readFileSync(tokenFile, 'utf8').trim()
  return { address, token, port: Number(new URL(address).port), data: dataDir(options.env) }
}

type Answer = (form: { message: string }) => ElicitResult

/** Connects a client. `answer` acts as the user, and without it the client has no user. */
export async function connectOverHttp(
  { address, token }: McpHttpAccess,
  era: 'modern' | 'legacy',
  answer?: Answer,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0' },
    {
      capabilities: answer ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : 'auto' },
    },
  )
  if (answer)
    client.setRequestHandler('elicitation/create', async ({ params }) =>
      answer(params as Parameters<Answer>[0]),
    )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

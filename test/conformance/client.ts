// The client under test of the official scenarios: the connection and login of Anode, used with the server
// of a scenario.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FailureError } from '../../internal/base/errors.ts'
import { runOauthLogin } from '../../internal/mcp/auth/oauth-login.ts'
import { type McpServer, type McpServerSettings, serverOf } from '../../internal/mcp/config/server-config.ts'
import { type McpSessionOptions, openMcpSession } from '../../internal/mcp/connection/mcp-session.ts'
import type { UserChannel } from '../../internal/tool/ctx.ts'

/** One scenario: the URL of its server, and its settings for the client. */
interface Scenario {
  url: string
  context: Readonly<Record<string, unknown>>
  dataDir: string
}

/** Returns the configuration of a user for the scenario. */
function configured({ url, context, dataDir }: Scenario): McpServer {
  const oauth: NonNullable<McpServerSettings['oauth']> = {
    ...(typeof context.client_id === 'string' && { clientId: context.client_id }),
    ...(typeof context.client_secret === 'string' && { clientSecret: context.client_secret }),
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  }
  const settings = { url, oauth, callTimeout: 10, startTimeout: 10 }
  const around = { env: {}, workspace: dataDir, home: dataDir, trusted: true, defaults: {} }
  return serverOf({ name: 'scenario', origin: 'user', path: join(dataDir, 'mcp.json'), settings }, around)
}

/** A user who accepts every question and fills in nothing. */
const user: UserChannel = { ask: async () => ({ status: 'answered', answers: [] }) }

/** Does the work of a session: lists the tools, then calls each of them with numbers as arguments. */
async function visit(server: McpServer, dataDir: string, signal: AbortSignal): Promise<void> {
  const wires: McpSessionOptions = {
    spawn: () => Promise.reject(new Error('no scenario has a local server')),
    dataDir,
    workspace: dataDir,
    version: '0',
    user,
  }
  const session = openMcpSession(server, wires, undefined, {
    up: async (client) => {
      await client.listTools()
    },
    changed: () => undefined,
  })
  try {
    await session.use('visit', signal, async (client) => {
      const { tools } = await client.listTools()
      for (const { name, inputSchema } of tools) {
        const names = Object.keys(inputSchema.properties ?? {})
        const args = Object.fromEntries(names.map((key, i) => [key, i + 2]))
        await client.callTool({ name, arguments: args }, { timeout: 10_000 })
      }
    })
  } finally {
    await session.close()
  }
}

/** Requests the URL that a user would open in a browser, and follows its redirect back. */
async function browse(address: URL): Promise<void> {
  const there = await fetch(address, { redirect: 'manual' })
  const back = there.headers.get('location')
  if (back === null) throw new Error(`the login page answered ${there.status}`)
  await fetch(back)
}

/** Does what the scenario asks of a client. Rejects with the error of the program. */
export async function playScenario(url: string, context: Readonly<Record<string, unknown>>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'anode-conformance-'))
  const signal = AbortSignal.timeout(50_000)
  const server = configured({ url, context, dataDir })
  try {
    for (let logins = 0; ; logins++) {
      try {
        return await visit(server, dataDir, signal)
      } catch (error) {
        const isLogin = error instanceof FailureError && error.failure.hint?.includes('mcp login')
        if (!isLogin || logins === 2) throw error
        await runOauthLogin(server, { dataDir, version: '0', signal, show: browse })
      }
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

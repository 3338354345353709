// Servers of tests: the fake one with a fault, the real ones, and the context of a session for them.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DeclaredServer, McpServerSettings } from '../../internal/mcp/config/server-config.ts'
import type { McpSessionOptions } from '../../internal/mcp/connection/mcp-session.ts'
import { type McpServers, openMcpServers } from '../../internal/mcp/mcp-servers.ts'
import { createRunner } from '../../internal/process/run-command.ts'
import type { UserChannel } from '../../internal/tool/ctx.ts'
import { scratch } from './scratch.ts'
import { root } from './sources.ts'

export const never = new AbortController().signal

const fakeServer = join(root, 'test', 'support', 'servers', 'fake.mjs')
const modules = join(root, 'node_modules', '@modelcontextprotocol')

/** Returns the configuration of the fake server with a fault. */
export const fake = (fault: string, ...rest: string[]): McpServerSettings => ({
  command: process.execPath,
  args: [fakeServer, fault, ...rest],
})

/** Returns the configuration of a real server. */
export const real = (name: 'everything' | 'filesystem' | 'memory', ...rest: string[]): McpServerSettings => ({
  command: process.execPath,
  args: [join(modules, `server-${name}`, 'dist', 'index.js'), ...rest],
})

export interface Ground {
  dataDir: string
  workspace: string
  wires: McpSessionOptions
  open(said: Readonly<Record<string, McpServerSettings>>, origin?: DeclaredServer['origin']): McpServers
}

/** Creates a data directory, a workspace and a process runner that end with the test, after its servers. */
export function serverGround(user?: UserChannel, more: Readonly<Record<string, string>> = {}): Ground {
  const dataDir = scratch()
  const workspace = scratch()
  const env = { PATH: process.env.PATH, HOME: workspace, ...more }
  const runner = createRunner({ dataDir, env })
  const opened: McpServers[] = []
  onTestFinished(async () => {
    for (const servers of opened) await servers.close()
    await runner.close()
  })
  const wires: McpSessionOptions = { spawn: runner.spawn, dataDir, workspace, version: '0', user }
  return {
    dataDir,
    workspace,
    wires,
    open(said, origin = 'user') {
      const path = join(origin === 'user' ? dataDir : workspace, '.mcp.json')
      const declared = Object.entries(said).map(
        ([name, one]): DeclaredServer => ({ name, origin, path, settings: one }),
      )
      const around = { env, workspace, home: workspace, trusted: true, defaults: {} }
      const servers = openMcpServers(declared, around, wires)
      opened.push(servers)
      return servers
    },
  }
}

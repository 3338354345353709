// Approval of a server's tools: other descriptions, names and commands need a new approval.
import { describe, expect, test } from 'vitest'
import { approveMcpServer, compareApproval, meetMcpServer } from '../../../internal/mcp/approval.ts'
import { type DeclaredServer, serverOf } from '../../../internal/mcp/config/server-config.ts'
import { openMcpServers } from '../../../internal/mcp/mcp-servers.ts'
import type { ServerListing, ToolItem } from '../../../internal/mcp/server-listing.ts'
import { readApproval } from '../../../internal/trust/approval.ts'
import { scratch } from '../../support/scratch.ts'

const context = { env: {}, workspace: '/w', home: '/h', trusted: true, defaults: {} }
const declared = (name: string, more: Partial<DeclaredServer> = {}): DeclaredServer => ({
  name,
  origin: 'user',
  path: '/h/mcp.json',
  settings: { command: 'true' },
  ...more,
})
const item = (name: string, description = 'says'): ToolItem => ({ name, description, inputSchema: {} })
const listing = (...tools: ToolItem[]): ServerListing => ({
  print: 'p',
  at: '',
  tools,
  prompts: [],
  resources: [],
})

describe('a known server', () => {
  test.each<[string, ToolItem[], string[]]>([
    ['the same', [item('search')], []],
    ['a tool by another name', [item('search2', 'poison')], ['search2']],
    ['one more', [item('search'), item('more')], ['more']],
    ['other words', [item('search', 'poison')], ['search']],
    ['another title', [{ ...item('search'), title: 'poison' }], ['search']],
    [
      'a name of the language',
      [item('search'), item('__proto__'), item('constructor')],
      ['__proto__', 'constructor'],
    ],
  ])('%s', async (_, tools, changed) => {
    const data = scratch()
    const server = serverOf(declared('s'), context)
    expect((await meetMcpServer(data, server, listing(item('search')))).changed.size).toBe(0)
    // at any number of encounters
    for (let i = 0; i < 2; i++)
      expect([...(await meetMcpServer(data, server, listing(...tools))).changed]).toEqual(changed)
    await approveMcpServer(data, server, listing(...tools))
    expect(compareApproval(server, readApproval(data, server.key), tools).changed.size).toBe(0)
  })
})

const wires = {
  spawn: () => Promise.reject(new Error('nothing starts')),
  dataDir: '',
  workspace: '/w',
  version: '0',
  user: undefined,
}

test('a server that is switched off keeps its name from a workspace', () => {
  const theirs = declared('git hub', { origin: 'workspace', path: '/w/.mcp.json' })
  const off = declared('git-hub', { settings: { command: 'true', disabled: true } })
  const same = declared('git_hub', { settings: { command: 'true', disabled: true } })
  expect(openMcpServers([off, theirs], context, wires).members).toHaveLength(1)
  const servers = openMcpServers([same, theirs], context, wires)
  expect(servers.members).toEqual([])
  expect(servers.notes()).toEqual([expect.stringContaining('/h/mcp.json has one of this name already')])
})

test('rejects a server with both command and url, of any type', () => {
  for (const type of [undefined, 'stdio', 'http'])
    expect(() =>
      serverOf(declared('s', { settings: { type, command: 'true', url: 'https://example.org' } }), context),
    ).toThrow('both command and url')
})

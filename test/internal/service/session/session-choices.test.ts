// Choices after a slash next to the commands: skills of the workspace, and prompts of its servers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkspaceContext } from '../../../../internal/runtime/workspace/workspace.ts'
import { withMcpServers } from '../../../../internal/service/mcp/mcp-servers.ts'
import { listSlashNames } from '../../../../internal/service/session/session-choices.ts'
import { fake, never } from '../../../support/mcp.ts'
import { scratchWith } from '../../../support/scratch.ts'

test('offers prompts of a server that has listed them, and starts no server for them', async () => {
  const cwd = scratchWith({})
  const home = scratchWith({})
  const env = { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: home, XDG_CONFIG_HOME: home }
  const file = join(home, 'anode', 'mcp.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ mcpServers: { docs: fake('none') } }))
  const list = async () =>
    (await listSlashNames(await readWorkspaceContext(cwd, env))).map(({ name }) => name)
  const before = await list()
  expect(before).toContain('simplify')
  expect(before).not.toContain('docs:greet')
  await withMcpServers({ cwd, env, signal: never }, ({ servers }) => servers.list(never))
  expect(await list()).toEqual([...before, 'docs:greet'])
})

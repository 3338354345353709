// Edits of server entries in the files: formatting, unusual keys, and two scopes next to each other.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkspaceContext } from '../../../../internal/runtime/workspace/workspace.ts'
import {
  addServer,
  findDeclaredServer,
  findServerFile,
  removeServer,
} from '../../../../internal/service/mcp/mcp-server-edit.ts'
import { scratch } from '../../../support/scratch.ts'

const around = async () => {
  const home = scratch()
  return readWorkspaceContext(scratch(), {
    HOME: home,
    PATH: process.env.PATH,
    XDG_CONFIG_HOME: join(home, '.config'),
    ANODE_DATA_DIR: join(home, 'data'),
  })
}

test.each(['a', 'a.b', 'a b', 'A-1_x', '@x'])('adds and removes a server named %j', async (name) => {
  const place = await around()
  const { path, notes } = await addServer(place, 'user', name, { command: 'sh' })
  expect(notes).toEqual([])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mcpServers: { [name]: { command: 'sh' } } })
  const found = await findDeclaredServer(place, name)
  expect(found.path).toBe(path)
  await removeServer(place, found)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mcpServers: {} })
})

test('reads only a scope that is set', async () => {
  const place = await around()
  await addServer(place, 'workspace', 'its', { command: 'sh' })
  await expect(findDeclaredServer(place, 'its', 'user')).rejects.toThrow('unknown MCP server "its"')
  expect((await findDeclaredServer(place, 'its', 'workspace')).path).toBe(findServerFile(place, 'workspace'))
})

test('searches a relative program of a workspace next to its file', async () => {
  const place = await around()
  writeFileSync(join(place.workspace, 'serve.sh'), '#!/bin/sh\n', { mode: 0o755 })
  expect((await addServer(place, 'workspace', 'a', { command: './serve.sh' })).notes).toEqual([])
  expect((await addServer(place, 'workspace', 'b', { command: './lost.sh' })).notes).toHaveLength(1)
})

// `anode mcp serve` as another agent starts it: the built program with the official client.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processExists } from '../../internal/base/process-identity.ts'
import { program, type World, world } from '../support/anode.ts'

let w: World
beforeAll(() => {
  w = world()
  w.put('a.txt', 'one\n')
})
afterAll(() => w.remove())

it('serves the tools of a profile until its input ends', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', 'serve', '--profile', 'review'],
    cwd: w.dir,
    env: { PATH: process.env.PATH ?? '', HOME: w.dir, ANODE_DATA_DIR: w.data },
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  const { pid } = transport
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('grep')
  const read = await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
  expect(read.content).toMatchObject([{ type: 'text', text: expect.stringContaining('one') }])
  await client.close()
  expect(pid).toEqual(expect.any(Number))
  await expect.poll(() => processExists(pid as number)).toBe(false)
})

it('reports errors before it sends any message', async () => {
  const { code, out, err } = await w.anode(['mcp', 'serve', '--profile', 'nobody'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('nobody')
})

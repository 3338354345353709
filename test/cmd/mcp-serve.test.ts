// `anode mcp serve` as another agent starts it: the built program with the official client.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processExists } from '../../internal/base/process-identity.ts'
import { program, type World, world } from '../support/anode.ts'
import { git } from '../support/repo.ts'

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

it('is a verifier without flags: it checks quotes, and runs only what --allow names', async () => {
  w.put('package.json', '{ "scripts": { "test": "node a.test.js" } }')
  w.put('a.test.js', '')
  git(w.dir, 'init', '-q', '-b', 'main')
  git(w.dir, 'add', '-A')
  git(w.dir, 'commit', '-q', '-m', 'first')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', 'serve', '--allow', 'npm test'],
    cwd: w.dir,
    env: { PATH: process.env.PATH ?? '', HOME: w.dir, ANODE_DATA_DIR: w.data },
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools.length).toBeLessThanOrEqual(12)
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: args }, { timeout: 100_000 })
    return (content as { text: string }[])[0]?.text ?? ''
  }
  expect(await call('study_verify', { text: 'a.txt:1 has "one" and "three more lines"' })).toContain(
    'missing  a.txt',
  )
  expect(await call('prove', { commands: ['npm test'] })).toMatch(/^proven /)
  expect(await call('prove', { commands: ['npm run other'] })).toContain('--allow')
  // a study runs in a separate process and stays after this client
  const study = await call('study', { question: 'What is in a.txt?', wait_s: 60 })
  expect(study).toMatch(/^study \w+: /)
  const [, id = ''] = /^study (\w+)/.exec(study) ?? []
  expect(await call('study', { id, wait_s: 0 })).toContain(id)
  const { contents } = await client.readResource({ uri: `anode://studies/${id}/claims` })
  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id })
  await client.close()
}, 150_000)

it('refuses --all with --profile', async () => {
  const { code, err } = await w.anode(['mcp', 'serve', '--all', '--profile', 'review'])
  expect([code, err]).toEqual([2, expect.stringContaining('exclude each other')])
})

it('reports errors before it sends any message', async () => {
  const { code, out, err } = await w.anode(['mcp', 'serve', '--profile', 'nobody'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('nobody')
})

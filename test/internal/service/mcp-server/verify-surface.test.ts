// The surface `verify`: its size, what runs without a question, proofs and comparisons as resources.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { listOfferedTools } from '../../../../internal/mcp-server/tool-listing.ts'
import { openMcpSurface } from '../../../../internal/service/mcp-server/mcp-surface.ts'
import {
  cancelledOnly,
  isLasting,
  rulesForLines,
  verifyToolNames,
} from '../../../../internal/service/mcp-server/verify-surface.ts'
import { connectClient, mcpWorkspace } from '../../../support/mcp-client.ts'
import { git } from '../../../support/repo.ts'
import { scratch } from '../../../support/scratch.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = {
  'add.js': 'exports.add = (a, b) => a + b\n',
  'test/add.test.js': "if (require('../add.js').add(1, 2) !== 3) process.exit(1)\n",
  'package.json': '{ "scripts": { "test": "node test/add.test.js" } }\n',
}

function project() {
  const at = mcpWorkspace()
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(at.dir, path)), { recursive: true })
    writeFileSync(join(at.dir, path), text)
  }
  for (const [path, text] of Object.entries(files)) put(path, text)
  git(at.dir, 'init', '-q', '-b', 'main')
  git(at.dir, 'add', '-A')
  git(at.dir, 'commit', '-q', '-m', 'first')
  return { ...at, put, options: { ...at.options, only: verifyToolNames } }
}

interface Place {
  dir: string
  options: { env: { XDG_CONFIG_HOME: string } }
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? ''

it('has at most 12 tools and 12,000 bytes, and calls no other tool', async () => {
  const surface = await openMcpSurface(project().options)
  const offered = listOfferedTools(surface.tools())
  expect(offered.length).toBeGreaterThanOrEqual(10)
  expect(offered.length).toBeLessThanOrEqual(12)
  expect(Buffer.byteLength(JSON.stringify({ tools: offered }))).toBeLessThanOrEqual(12_000)
  const { client } = await connectClient(surface)
  const called = await client.callTool({ name: 'bash', arguments: { command: 'echo ran' } })
  expect(called.isError).toBe(true)
  expect(textOf(called)).not.toMatch(/^ran/)
  await surface.close()
})

describe('prove', () => {
  const call = { name: 'prove', arguments: { commands: ['npm test'] } }

  it('is refused without a user, and the refusal names the flag', async () => {
    const surface = await openMcpSurface(project().options)
    const { client } = await connectClient(surface)
    const refused = await client.callTool(call)
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain('--allow')
    await surface.close()
  })

  it('runs what the flag allows and nothing else, and its proof is a resource', async () => {
    const { options, put } = project()
    const surface = await openMcpSurface({ ...options, allow: ['npm test'] })
    const { client } = await connectClient(surface)
    const proven = await client.callTool(call)
    expect(textOf(proven)).toMatch(/^proven \([0-9a-f]{8}\)/)
    const { id } = proven.structuredContent as { id: string }
    const { contents } = await client.readResource({ uri: `anode://proofs/${id}` })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id, state: 'proven' })
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(`anode://proofs/${id}`)
    // the test no longer tests anything
    put('test/add.test.js', '')
    put('add.js', 'exports.add = (a, b) => a - b\n')
    expect(textOf(await client.callTool(call))).toMatch(/^NOT proven: tampered/)
    for (const other of ['npm test; true', 'npm test -- --help', 'node add.js'])
      expect((await client.callTool({ name: 'prove', arguments: { commands: [other] } })).isError).toBe(true)
    await surface.close()
  })

  it.each([
    ['of the user', (at: Place) => join(at.options.env.XDG_CONFIG_HOME, 'anode/profiles/fixer.md'), true],
    ['of a repository without trust', (at: Place) => join(at.dir, '.anode/profiles/fixer.md'), false],
  ])('runs the check of a profile %s without a question: %s', async (_, pathOf, isAllowed) => {
    const at = project()
    const settings = scratch()
    const env = { ...at.options.env, XDG_CONFIG_HOME: settings }
    const place = { dir: at.dir, options: { ...at.options, env } }
    const path = pathOf(place)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '---\nabout: fixes\ntools: ["*"]\nuntil: npm test\n---\nFix it.\n')
    const surface = await openMcpSurface(place.options)
    const { client } = await connectClient(surface)
    const called = await client.callTool(call)
    expect([called.isError === true, /^proven/.test(textOf(called))]).toEqual([!isAllowed, isAllowed])
    const other = { name: 'prove', arguments: { commands: ['node add.js'] } }
    expect((await client.callTool(other)).isError).toBe(true)
    await surface.close()
  })

  it('asks the user of a client with forms', async () => {
    const surface = await openMcpSurface(project().options)
    const asked: string[] = []
    const { client } = await connectClient(surface, 'modern', ({ message }) => {
      asked.push(message)
      return { action: 'accept', content: { decision: 'once' } }
    })
    expect(textOf(await client.callTool(call))).toMatch(/^proven/)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('npm test')
    await surface.close()
  })

  it('names its id at once, and ends its work after the client has disconnected', async () => {
    const { options } = project()
    const command = 'sleep 1; npm test'
    const surface = await openMcpSurface({ ...options, allow: [command] })
    const { client, ended, input } = await connectClient(surface)
    const id = await new Promise<string>((resolve) => {
      const onprogress = ({ message = '' }) => {
        const [, found] = /^proof ([0-9a-f]{8}) begun$/.exec(message) ?? []
        if (found !== undefined) resolve(found)
      }
      client
        .callTool({ name: 'prove', arguments: { commands: [command] } }, { onprogress })
        .catch(() => undefined)
    })
    input.end()
    await ended
    await surface.close()
    const again = await openMcpSurface(options)
    const stored = await again.read(`anode://proofs/${id}`)
    expect(JSON.parse(stored?.text ?? '{}')).toMatchObject({ id, state: 'proven' })
    await again.close()
  })
})

it.each([
  [
    'add.js:1 has "exports.add" and "a +"',
    /^1 of 1 quote found\n.*\n1 quote not checked: fewer than 5 letters/,
  ],
  ['add.js:1 has "a" and "b"', /^2 quotes not checked: .*\nput each quote in quote marks/],
  ['add.js:1 has none', /^no quotes: put each quote in quote marks/],
  [
    `add.js:1 has ${'"exports.add", '.repeat(202)}`,
    /^200 of 200 quotes found[\s\S]*\n2 quotes not checked: /,
  ],
])('study_verify counts the quotes of %j that it does not check', async (text, expected) => {
  const surface = await openMcpSurface(project().options)
  const { client } = await connectClient(surface)
  expect(textOf(await client.callTool({ name: 'study_verify', arguments: { text } }))).toMatch(expected)
  await surface.close()
})

it('compares commits, and the comparison is a resource', async () => {
  const { dir, options, put } = project()
  put('speed.txt', '100')
  put('bench.sh', 'echo METRIC ms=$(cat speed.txt)\n')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-q', '-m', 'bench')
  put('speed.txt', '120')
  const surface = await openMcpSurface({ ...options, allow: ['bash bench.sh'] })
  const { client } = await connectClient(surface)
  const args = { command: 'bash bench.sh', base: 'HEAD', metrics: ['ms'] }
  const messages: string[] = []
  const onprogress = ({ message = '' }) => void messages.push(message)
  const call = { name: 'research_compare', arguments: args }
  const compared = await client.callTool(call, { timeout: 100_000, onprogress })
  expect(textOf(compared)).toMatch(/^loss: the working tree against HEAD/)
  const { id } = compared.structuredContent as { id: string }
  expect(messages[0]).toBe(`comparison ${id} begun`)
  const { contents } = await client.readResource({ uri: `anode://compare/${id}` })
  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id, verdict: 'loss' })
  await surface.close()
})

it('tells a client that has subscribed when a resource changes', async () => {
  const surface = await openMcpSurface(project().options)
  let text = 'first'
  const changing = { ...surface, read: async () => ({ mimeType: 'text/plain', text }) }
  const { client } = await connectClient(changing, 'legacy')
  const uri = 'anode://studies/01JD3K8QAAAAAAAAAAAAAAAAAA'
  const updated = new Promise<string>((resolve) =>
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)),
  )
  await client.subscribeResource({ uri })
  text = 'second'
  expect(await updated).toBe(uri)
  await client.unsubscribeResource({ uri })
  await surface.close()
})

it('lists resources in pages, and refuses a cursor of another server', async () => {
  const surface = await openMcpSurface(project().options)
  const resources = Array.from({ length: 120 }, (_, i) => ({
    uri: `anode://proofs/${i}`,
    name: `${i}`,
    description: 'a proof',
    mimeType: 'application/json',
  }))
  const { client } = await connectClient({ ...surface, resources: async () => resources })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listResources(cursor === undefined ? undefined : { cursor })
    seen.push(...page.resources.map(({ uri }) => uri))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(seen).toEqual(resources.map(({ uri }) => uri))
  await expect(client.listResources({ cursor: 'x' })).rejects.toThrow('invalid cursor')
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'anode://threads/{id}',
    'anode://studies/{id}',
    'anode://studies/{id}/claims',
    'anode://builds/{id}',
    'anode://proofs/{id}',
    'anode://compare/{id}',
  ])
  await surface.close()
})

it.each([
  ['Connection closed', false],
  ['the client has gone', false],
  ['the client has cancelled it: stop', true],
])('a lasting call that ends with %j is cancelled: %s', (reason, isCancelled) => {
  const client = new AbortController()
  const signal = cancelledOnly(client.signal)
  client.abort(new Error(reason))
  expect(signal.aborted).toBe(isCancelled)
})

it('allows exact lines to the tools that run commands, and to no other tool', () => {
  const rules = rulesForLines(['npm test'])
  expect(rules.map(({ tool, command, action }) => [tool, command, action])).toEqual([
    ['prove', '=npm test', 'allow'],
    ['research_compare', '=npm test', 'allow'],
  ])
  expect(verifyToolNames.filter(isLasting)).toEqual(['prove', 'research_compare', 'study'])
})

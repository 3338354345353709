// The MCP server, driven by the official client in both revisions of the protocol.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { serveMcpOverStdio } from '../../../internal/mcp-server/stdio-service.ts'
import { openMcpSurface } from '../../../internal/service/mcp-server/mcp-surface.ts'
import { connectClient, connectWorkspace, mcpWorkspace } from '../../support/mcp-client.ts'

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => ('text' in part ? part.text : '')).join('')
const write = { name: 'create_file', arguments: { path: 'b.txt', content: 'new\n' } }

describe.each(['modern', 'legacy'] as const)('in the %s revision', (era) => {
  it('lists the tools of the profile with hints, and reads', async () => {
    const place = mcpWorkspace()
    const { client } = await connectWorkspace(place, { profile: 'review' }, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('read')
    expect(tools.map(({ name }) => name)).not.toContain('create_file')
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    const read = await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
    expect(textOf(read as CallToolResult)).toContain('two')
    expect(read.structuredContent).toMatchObject({ path: expect.stringContaining('a.txt') })
    const hidden = await client.callTool(write)
    expect(hidden).toMatchObject({ isError: true })
    expect(existsSync(join(place.dir, 'b.txt'))).toBe(false)
  })

  it('asks the user through the client, with the same text as on the terminal', async () => {
    const place = mcpWorkspace()
    const asked: string[] = []
    const { client } = await connectWorkspace(place, {}, era, ({ message }) => {
      asked.push(message)
      return { action: 'accept', content: { decision: 'once' } }
    })
    const done = await client.callTool(write)
    expect(done.isError).toBeFalsy()
    expect(readFileSync(join(place.dir, 'b.txt'), 'utf8')).toBe('new\n')
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('Allow create_file?')
    expect(asked[0]).toMatch(/│ .*new/)
  })

  it('denies a call that needs approval if the client has no user', async () => {
    const place = mcpWorkspace()
    const { client } = await connectWorkspace(place, {}, era)
    const result = (await client.callTool(write)) as CallToolResult
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'denied' } } })
    expect(existsSync(join(place.dir, 'b.txt'))).toBe(false)
  })

  it('asks the questions of a tool, and passes it the answers', async () => {
    const options = ['red', 'blue'].map((id) => ({ id, label: `The ${id} one` }))
    const { client } = await connectWorkspace(mcpWorkspace(), {}, era, ({ requestedSchema }) => {
      const { properties } = requestedSchema as {
        properties: Record<string, { oneOf?: { const: string }[] }>
      }
      const [[name, field] = ['', {}]] = Object.entries(properties)
      return { action: 'accept', content: { [name]: field.oneOf?.at(1)?.const ?? 'blue' } }
    })
    const args = { question: 'Which colour?', options }
    const result = (await client.callTool({ name: 'ask_user', arguments: args })) as CallToolResult
    expect(textOf(result)).toContain('blue')
  })

  it('ends a call that the client cancels', async () => {
    const { client } = await connectWorkspace(mcpWorkspace(), { mode: 'unrestricted', sandbox: 'off' }, era)
    const stop = new AbortController()
    const started = Date.now()
    const going = client.callTool(
      { name: 'bash', arguments: { command: 'sleep 30' } },
      { signal: stop.signal },
    )
    setTimeout(() => stop.abort(new Error('enough')), 200)
    await expect(going).rejects.toThrow()
    // the next call is not blocked
    const next = (await client.callTool({
      name: 'bash',
      arguments: { command: 'echo on' },
    })) as CallToolResult
    expect(textOf(next)).toContain('on')
    expect(Date.now() - started).toBeLessThan(10_000)
  })
})

it.each([
  ['denies with words', { action: 'accept', content: { decision: 'deny', words: 'not here' } }, 'not here'],
  ['declines', { action: 'decline' }, 'denied it'],
  ['dismisses it', { action: 'cancel' }, 'no user answered'],
  ['says what no choice says', { action: 'accept', content: { decision: 'always!' } }, 'denied it'],
] as const)('runs nothing when the user %s', async (_, reply, words) => {
  const place = mcpWorkspace()
  const { client } = await connectWorkspace(place, {}, 'modern', () => reply as never)
  const result = (await client.callTool(write)) as CallToolResult
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain(words)
  expect(existsSync(join(place.dir, 'b.txt'))).toBe(false)
})

it('marks tools that read, and tools that may destroy', async () => {
  const { client } = await connectWorkspace(mcpWorkspace())
  const { tools } = await client.listTools()
  const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations
  expect(hints('read')).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false })
  expect(hints('web_search')).toMatchObject({ readOnlyHint: true, openWorldHint: true })
  expect(hints('create_file')).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  expect(hints('bash')).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true })
})

it('reports progress during a call', async () => {
  const surface = await openMcpSurface(mcpWorkspace().options)
  const call: typeof surface.call = async (request, caller) => {
    caller.report({ call: 'c', tool: 'read', progress: 1, total: 2, message: 'half' })
    return surface.call(request, caller)
  }
  const { client } = await connectClient({ ...surface, call })
  const seen: unknown[] = []
  await client.callTool(
    { name: 'read', arguments: { path: 'a.txt' } },
    { onprogress: (progress) => seen.push(progress) },
  )
  expect(seen).toEqual([expect.objectContaining({ progress: 1, total: 2, message: 'half' })])
  await surface.close()
})

it('offers skills as prompts, with their descriptions', async () => {
  const { client } = await connectWorkspace(mcpWorkspace())
  const { prompts } = await client.listPrompts()
  expect(prompts.length).toBeGreaterThan(0)
  const [first] = prompts
  const { messages } = await client.getPrompt({ name: first?.name ?? '', arguments: { input: 'the parser' } })
  expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringMatching(/\w/) })
  await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow('unknown prompt')
})

it('ends at once if its signal has aborted already', async () => {
  const surface = await openMcpSurface(mcpWorkspace().options)
  const streams = { input: new PassThrough(), output: new PassThrough(), signal: AbortSignal.abort() }
  await serveMcpOverStdio(surface, streams)
  await surface.close()
})

it('ends with its input, and ends its running calls', async () => {
  const { client, ended, input } = await connectWorkspace(mcpWorkspace(), {
    mode: 'unrestricted',
    sandbox: 'off',
  })
  const going = client.callTool({ name: 'bash', arguments: { command: 'sleep 30' } }).catch(() => 'gone')
  await client.listTools()
  input.end()
  await ended
  await client.close()
  expect(await going).toBe('gone')
})

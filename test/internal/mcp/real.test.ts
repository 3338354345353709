// The servers that the authors of the protocol publish, as users run them: over stdio and
// over streamable HTTP.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EventDraft } from '../../../internal/event/event.ts'
import { expandPrompt } from '../../../internal/mcp/mcp-prompt.ts'
import { readResource } from '../../../internal/mcp/mcp-resource.ts'
import type { McpServers } from '../../../internal/mcp/mcp-servers.ts'
import type { UserChannel } from '../../../internal/tool/ctx.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { never, real, serverGround } from '../../support/mcp.ts'

async function use(
  servers: McpServers,
  name: string,
  args: unknown,
  over: Parameters<typeof ctxWith>[1] = {},
) {
  const found = servers.tools().find(({ tool }) => tool.name === name)
  if (!found) throw new Error(`no tool ${name}: ${servers.notes().join('; ')}`)
  return call(found.tool, args, ctxWith({}, over))
}

/** Expects the results of server-everything, over any transport. */
async function everything(servers: McpServers): Promise<void> {
  await servers.list(never)
  expect(servers.notes()).toEqual([])
  expect((await use(servers, 'mcp__all__echo', { message: 'hi' })).text).toBe('Echo: hi')
  expect((await use(servers, 'mcp__all__get-sum', { a: '2', b: 3 })).text).toContain('5')
  const picture = await use(servers, 'mcp__all__get-tiny-image', {})
  expect(picture.media?.[0]).toMatchObject({ type: 'image', mime: 'image/png' })
  const drafts: EventDraft[] = []
  const log = { append: async (draft: EventDraft) => void drafts.push(draft), keep: async () => '' }
  await use(servers, 'mcp__all__trigger-long-running-operation', { duration: 1, steps: 3 }, { log })
  expect(drafts.filter(({ type }) => type === 'tool.progress').length).toBeGreaterThan(0)
  const structured = await use(servers, 'mcp__all__get-structured-content', { location: 'Chicago' })
  expect(structured.data).toMatchObject({ structured: { temperature: expect.any(Number) } })
  const member = servers.find('all')
  const prompt = { server: 'all', prompt: 'args-prompt', rest: 'Berlin' }
  expect((await expandPrompt(member, prompt, never)).text).toContain('Berlin')
  const uri = member.listing?.resources[0]?.uri ?? ''
  expect((await readResource(member, uri, never)).text.length).toBeGreaterThan(100)
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 300)
  const long = { duration: 20, steps: 2 }
  await expect(
    use(servers, 'mcp__all__trigger-long-running-operation', long, { signal: stop.signal }),
  ).resolves.toMatchObject({ failed: { code: 'cancelled' } })
  expect((await use(servers, 'mcp__all__echo', { message: 'still here' })).text).toBe('Echo: still here')
}

test('server-everything works over stdio', async () => {
  await everything(serverGround().open({ all: real('everything') }))
})

test('server-everything works over streamable HTTP', async () => {
  const port = await freePort()
  await listening(
    spawn(process.execPath, [...(real('everything', 'streamableHttp').args ?? [])], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  await everything(serverGround().open({ all: { url: `http://127.0.0.1:${port}/mcp` } }))
})

test('server-filesystem works in the workspace, which it gets as a root', async () => {
  const context = serverGround()
  const servers = context.open({ fs: real('filesystem', context.workspace) })
  await servers.list(never)
  writeFileSync(join(context.workspace, 'a.txt'), 'one\ntwo\n')
  const file = join(context.workspace, 'a.txt')
  expect((await use(servers, 'mcp__fs__read_text_file', { path: file })).text).toContain('two')
  const edits = [{ oldText: 'two', newText: 'three' }]
  await use(servers, 'mcp__fs__edit_file', { path: file, edits })
  expect(readFileSync(file, 'utf8')).toBe('one\nthree\n')
  const outside = await use(servers, 'mcp__fs__read_text_file', { path: '/etc/passwd' })
  expect(outside.failed?.code).toBe('command_failed')
})

test('server-memory keeps data between two sessions', async () => {
  const context = serverGround()
  const output = {
    ...real('memory'),
    env: { MEMORY_FILE_PATH: join(context.dataDir, 'memory.json') },
    trustAnnotations: true,
  }
  const first = context.open({ memory: output })
  await first.list(never)
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }]
  expect((await use(first, 'mcp__memory__create_entities', { entities })).failed).toBeUndefined()
  await first.close()
  expect(existsSync(join(context.dataDir, 'memory.json'))).toBe(true)
  const second = context.open({ memory: output })
  expect((await use(second, 'mcp__memory__read_graph', {})).text).toContain('writes programs')
  const levels = new Map(second.tools().map(({ tool }) => [tool.name, tool.level]))
  expect(levels.get('mcp__memory__read_graph')).toBe('external_read')
  expect(levels.get('mcp__memory__delete_entities')).toBe('confirm_execute')
})

test('a question of a server goes to the user if a user is available', async () => {
  const asked: string[] = []
  const user: UserChannel = {
    ask: async ({ questions }) => {
      asked.push(...questions.map(({ id }) => id))
      const [first] = questions
      const text = first?.options[0] ? { option: first.options[0].id } : { text: 'Ada' }
      return { status: 'answered', answers: [{ id: first?.id ?? '', ...text }] }
    },
  }
  const name = 'mcp__all__trigger-elicitation-request'
  const alone = serverGround().open({ all: real('everything') })
  await alone.list(never)
  expect(alone.tools().some(({ tool }) => tool.name === name)).toBe(false)
  const servers = serverGround(user).open({ all: real('everything') })
  await servers.list(never)
  const { text, failed } = await use(servers, name, {})
  expect(failed).toBeUndefined()
  expect(asked.length).toBeGreaterThan(0)
  expect(text).toMatch(/Ada|provided|accept/i)
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

/** Waits for the first output of a server, which is stopped when the test ends. */
async function listening(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    const inspectServer = (chunk: Buffer) => {
      output += chunk
      if (/listening/i.test(output)) resolve()
    }
    child.stdout?.on('data', inspectServer)
    child.stderr?.on('data', inspectServer)
    child.once('exit', () => reject(new Error(`the server ended: ${output}`)))
  })
}

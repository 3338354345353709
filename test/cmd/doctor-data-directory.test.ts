// A data directory that cannot be used: every command fails at once and names it, and `anode doctor` blames nothing else.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { program, type World, world } from '../support/anode.ts'
import { openScreenWorld } from '../support/screen-program.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const rowsOf = async (data: string) => {
  const { code, out } = await at.anode(['doctor', '--json'], { env: { ANODE_DATA_DIR: data } })
  const rows = JSON.parse(out) as { what: string; state: string; detail: string }[]
  return { code, rows: new Map(rows.map((row) => [row.what, row])) }
}

it.each(['/proc/x', '/proc/x/y', '/dev/null/data', 'FILE', 'FILE/data', '/sys/anode'])(
  'doctor with the data directory %s',
  async (path) => {
    writeFileSync(join(at.dir, 'FILE'), 'x')
    const { rows } = await rowsOf(path.startsWith('/') ? path : join(at.dir, path))
    const usable = (await rowsOf(join(at.dir, 'data'))).rows
    expect(rows.get('data directory')?.state).toBe('broken')
    expect(rows.get('database')?.detail).toMatch(/^the data directory cannot be used/)
    for (const what of ['git', 'bash', 'ctags', 'sandbox', 'workspace', 'shell grammar'])
      expect([what, rows.get(what)?.state]).toEqual([what, usable.get(what)?.state])
  },
)

const question = 'What is exported in a.ts?'
const extract = ['--model', 'builtin/extract']

it.each([
  ['threads', 'list'],
  ['execute', question, ...extract],
  ['study', question, ...extract],
  ['runs', 'start', question, ...extract],
  ['tools', 'use', 'todo_write', '--allow-non-read', '--json', '{"todos":[{"content":"a"}]}'],
  ['cron', 'list'],
  ['undo'],
])('anode %s fails at once', async (...words) => {
  const { code, err } = await at.anode(words, { env: { ANODE_DATA_DIR: '/proc/x' } })
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(refusal) })
})

const refusal = /the data directory cannot be used: \/proc\/x: nothing can be made there/

it('a session on a terminal ends before it draws anything', async () => {
  const here = openScreenWorld([])
  const screen = here.start([...here.model], {}, { ANODE_DATA_DIR: '/proc/x' })
  expect(await screen.exit).toBe(2)
  expect(screen.lines()).toMatch(refusal)
  expect(screen.bytes()).not.toContain('\x1b')
})

it('an editor gets it with the first session', async () => {
  const env = { PATH: process.env.PATH, HOME: join(at.dir, '..'), ANODE_DATA_DIR: '/proc/x' }
  const child = spawn(process.execPath, [program, 'acp'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    for (;;) {
      const answer = JSON.parse((await answers.next()).value ?? '{"id":"ended"}')
      if (answer.id === id || answer.id === 'ended') return answer
    }
  }
  await ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
  const { error } = await ask(2, 'session/new', { cwd: at.dir, mcpServers: [] })
  expect(error.message).toMatch(refusal)
  child.stdin.end()
  await once(child, 'close')
})

// Scripted responses: their order, their errors, and invalid files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UserError } from '../../../internal/base/errors.ts'
import { createScriptModel } from '../../../internal/model/script-model.ts'
import { ask } from '../../support/ask-model.ts'
import { costRatio } from '../../support/cost.ts'

const dir = mkdtempSync(join(tmpdir(), 'anode-script-'))
afterAll(() => rmSync(dir, { recursive: true }))
let files = 0

function load(...lines: unknown[]) {
  const file = `s${++files}.jsonl`
  writeFileSync(
    join(dir, file),
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )
  return createScriptModel(file, dir)
}
const task = (name: string) => ({ meta: { purpose: 'work' as const, task: name } })

test('gives responses in order, and fails at the end of the script', async () => {
  const model = load({ text: 'one' }, '', { text: 'two' })
  expect((await ask(model)).text).toBe('one')
  expect((await ask(model)).text).toBe('two')
  expect(await ask(model)).toMatchObject({ failure: { kind: 'script_exhausted' } })
})

test('each task has its own order', async () => {
  const model = load(
    { task: 't1', text: 'a1' },
    { task: 't2', text: 'b1' },
    { text: 'plain' },
    { task: 't1', text: 'a2' },
  )
  expect((await ask(model, task('t2'))).text).toBe('b1')
  expect((await ask(model, task('t1'))).text).toBe('a1')
  expect((await ask(model)).text).toBe('plain')
  expect((await ask(model, task('t1'))).text).toBe('a2')
  expect((await ask(model, task('t3'))).failure?.message).toMatch(/for task t3/)
})

test('without any task in the file, every request shares one order', async () => {
  const model = load({ text: 'one' }, { text: 'two' })
  expect((await ask(model, task('t1'))).text).toBe('one')
  expect((await ask(model, task('t2'))).text).toBe('two')
})

test('a script continues after the responses that a journal contains', async () => {
  const model = load({ error: { status: 500 } }, { text: 'one' }, { text: 'two' }, { text: 'three' })
  const meta = { purpose: 'work' as const, taken: 2 }
  expect((await ask(model, { meta })).text).toBe('three')
  expect((await ask(model, { meta })).failure?.kind).toBe('script_exhausted')
})

test('reads calls, usage, reasoning and the end reason', async () => {
  const model = load(
    {
      reasoning: 'hm',
      text: 'look',
      calls: [{ name: 'read', args: { path: 'a' } }],
      usage: { in: 900, out: 40 },
    },
    {
      calls: [
        { name: 'read', raw: '{"path":' },
        { id: 'own', name: 'todo_read' },
      ],
    },
    { text: 'cut', end: 'length' },
  )
  expect(await ask(model)).toMatchObject({
    reasoning: 'hm',
    text: 'look',
    calls: [{ id: 's1_1', name: 'read', args: { path: 'a' } }],
    usage: { input: 900, output: 40, usd: 0 },
    end: { reason: 'calls' },
  })
  expect(await ask(model)).toMatchObject({
    calls: [{ malformed: { raw: '{"path":', position: 8 } }, { id: 'own', args: {} }],
    usage: { estimated: true },
  })
  expect(await ask(model)).toMatchObject({ text: 'cut', end: { reason: 'length' } })
})

test('reads errors with a status, a wait, or earlier text', async () => {
  const model = load(
    { error: { status: 429, retry_after_ms: 50 } },
    { text: 'half', error: { message: 'cut' } },
    { error: { status: 400, message: 'maximum context length' } },
  )
  expect((await ask(model)).failure).toEqual({
    kind: 'rate_limit',
    message: '429 scripted error',
    status: 429,
    retryAfterMs: 50,
  })
  expect(await ask(model)).toMatchObject({ text: 'half', failure: { kind: 'broken', message: 'cut' } })
  expect((await ask(model)).failure?.kind).toBe('context_too_long')
})

test('writes claims as closing JSON', async () => {
  const claims = [{ text: 'The store locks.', evidence: 'E1.1', quote: 'locks' }]
  const reply = await ask(load({ text: 'finished', claims, gaps: ['rest'] }))
  expect(JSON.parse(reply.text)).toEqual({ claims, gaps: ['rest'] })
  expect(reply.reasoning).toBe('finished')
})

test('a cancel ends the delay of a response', async () => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 20)
  expect(await ask(load({ delay_ms: 60_000, text: 'x' }), 'x', stop.signal)).toMatchObject({
    text: '',
    failure: { kind: 'cancelled' },
  })
  const before = load({ text: 'first' })
  expect((await ask(before, 'x', AbortSignal.abort())).failure?.kind).toBe('cancelled')
  expect((await ask(before)).text).toBe('first')
})

test('the script can set the window', () => {
  expect(load({ window: 8000 }, { text: 'x' }).window).toBe(8000)
  expect(load({ text: 'x' }).window).toBeGreaterThan(8000)
})

const wrong: [unknown, RegExp][] = [
  ['{"text": ', /line 1/],
  [{ texts: 'x' }, /line 1.*unknown key texts/],
  [{ calls: [{ args: {} }] }, /line 1.*calls\.0\.name/],
  [[], /line 1/],
]
test.each(wrong)('rejects %j as a response', (line, message) => {
  expect(() => load(line)).toThrow(UserError)
  expect(() => load(line)).toThrow(message)
})

test('rejects a missing file', () => {
  expect(() => createScriptModel('nowhere.jsonl', dir)).toThrow(
    /cannot read the script: nowhere\.jsonl does not exist/,
  )
})

test('reads a script again once the file has changed, also to one of the same size', async () => {
  const file = join(dir, 'changing.jsonl')
  for (const text of ['one', 'two', 'six']) {
    rmSync(file, { force: true })
    writeFileSync(file, `${JSON.stringify({ text })}\n`)
    expect((await ask(createScriptModel(file, dir))).text).toBe(text)
    // every model begins at the first response
    expect((await ask(createScriptModel(file, dir))).text).toBe(text)
  }
})

test('200 tasks open the script of 400 responses for less than ten times the cost of reading it', () => {
  const file = join(dir, 'long.jsonl')
  const write = () =>
    writeFileSync(
      file,
      Array.from({ length: 400 }, (_, i) => `${JSON.stringify({ task: `t${i}`, text: `${i}` })}\n`).join(''),
    )
  const openAfterChange = (times: number) => () => {
    write()
    for (let i = 0; i < times; i++) createScriptModel(file, dir)
  }
  expect(costRatio(10, openAfterChange(1), openAfterChange(200))).toBeLessThan(10)
})

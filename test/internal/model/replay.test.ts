// Recordings: they answer the same requests, only those, and contain no keys.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UserError } from '../../../internal/base/errors.ts'
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../internal/model/model.ts'
import { createReplayModel, recordModel } from '../../../internal/model/replay.ts'
import { ask, canned, user } from '../../support/ask-model.ts'

const dir = mkdtempSync(join(tmpdir(), 'anode-replay-'))
afterAll(() => rmSync(dir, { recursive: true }))
let files = 0
const name = () => `deep/r${++files}.jsonl`

const text = (value: string): ModelEvent => ({ type: 'text', text: value })
const usage: ModelEvent = { type: 'usage', input: 3, output: 4, usd: 0.1 }
const end: ModelEvent = { type: 'end', reason: 'stop' }
const call: ModelEvent = { type: 'call', id: 'c', name: 'read', args: { path: 'a' } }
const ends: ModelEvent = { type: 'end', reason: 'calls', carry: { from: 'x', value: 1 } }
const request = (...messages: ModelMessage[]): ModelRequest => ({ messages, tools: [] })

test('replays the events of a recording in order', async () => {
  const file = name()
  const model = recordModel(canned([text('a'), text('b'), call, usage, ends], [text('second'), end]), {
    file,
    cwd: dir,
    keys: [],
  })
  expect(model.id).toBe(`record:${file},test/canned`)
  const first = await ask(model, request(user('one')))
  await ask(model, request(user('two')))
  const player = createReplayModel(file, dir)
  expect(player.kind).toBe('script')
  const second = await ask(player, request(user('one')))
  expect(second.events).toEqual([text('ab'), call, usage, ends])
  expect(second.text).toBe(first.text)
  expect((await ask(player, request(user('two')))).text).toBe('second')
  expect((await ask(player, request(user('two')))).text).toBe('second')
})

test('gives equal requests their responses in order', async () => {
  const file = name()
  const model = recordModel(canned([text('a'), end], [text('b'), end]), { file, cwd: dir, keys: [] })
  await ask(model)
  await ask(model)
  const player = createReplayModel(file, dir)
  expect([await ask(player), await ask(player), await ask(player)].map((reply) => reply.text)).toEqual([
    'a',
    'b',
    'b',
  ])
})

test('replaces ids of the recording in a response with ids of the replayed run', async () => {
  const [before, now] = ['sess_01M8C6N2QJ0KNJEGS2YZEX4P0C', 'sess_01M8C6N48DRNVYMVQF7TTSXSGE']
  const file = name()
  const asked = (id: string): ModelRequest =>
    request(user('go'), { role: 'tool', callId: 'c', name: 'task', content: `[done; 0.1 s]\nthread ${id}` })
  const reads: ModelEvent = { type: 'call', id: 'c', name: 'read_thread', args: { thread: before } }
  const model = recordModel(canned([text(`It is ${before}.`), reads, ends]), { file, cwd: dir, keys: [] })
  await ask(model, asked(before))
  const { events } = await ask(createReplayModel(file, dir), asked(now))
  expect(events).toEqual([text(`It is ${now}.`), { ...reads, args: { thread: now } }, ends])
})

test('does not record failures and discarded beginnings', async () => {
  const file = name()
  const failure = { kind: 'auth', message: 'x' } as const
  const discarded: ModelEvent = { type: 'discarded', failure, attempt: 2, waitMs: 0 }
  const model = recordModel(
    canned([{ type: 'failure', failure }], [text('half'), discarded, text('whole'), end]),
    {
      file,
      cwd: dir,
      keys: [],
    },
  )
  await ask(model, 'one')
  await ask(model, 'two')
  const lines = readFileSync(join(dir, file), 'utf8').trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '').events).toEqual([text('whole'), end])
})

test('a recording contains no keys, also not in escaped form', async () => {
  const file = name()
  const keys = ['plain-secret', 'quoted"secret']
  const model = recordModel(canned([text('plain-secret quoted"secret sk-abcdefghijklmnop'), end]), {
    file,
    cwd: dir,
    keys,
  })
  await ask(model, 'my key is plain-secret')
  const raw = readFileSync(join(dir, file), 'utf8')
  expect(raw).not.toMatch(/plain-secret|quoted\\?"secret|sk-abcd/)
  expect(() => JSON.parse(raw)).not.toThrow()
})

test('the error for an unknown request shows the nearest recording and the difference', async () => {
  const file = name()
  const model = recordModel(canned([text('a'), end], [text('b'), end]), { file, cwd: dir, keys: [] })
  await ask(model, request({ role: 'system', content: 's' }, user('one')))
  await ask(
    model,
    request({ role: 'system', content: 's' }, user('one'), { role: 'assistant', content: 'a' }, user('more')),
  )
  const reply = await ask(
    createReplayModel(file, dir),
    request(
      { role: 'system', content: 's' },
      user('one'),
      { role: 'assistant', content: 'a' },
      user('other'),
    ),
  )
  expect(reply.failure?.kind).toBe('replay_miss')
  expect(reply.failure?.message).toMatch(/nearest is line 2 \([0-9a-f]{8}, 4 messages, user: more\)/)
  expect(reply.failure?.message).toMatch(/first difference is message 4 of 4 \(user\)/)
})

test('an empty recording matches no request', async () => {
  writeFileSync(join(dir, 'empty.jsonl'), '')
  expect((await ask(createReplayModel('empty.jsonl', dir))).failure?.message).toMatch(/it is empty/)
})

test('skips an incomplete last line, and rejects an incomplete line elsewhere', async () => {
  const file = name()
  await ask(recordModel(canned([text('a'), end]), { file, cwd: dir, keys: [] }))
  appendFileSync(join(dir, file), '{"hash":"12')
  expect((await ask(createReplayModel(file, dir))).text).toBe('a')
  appendFileSync(join(dir, file), '\n')
  expect(() => createReplayModel(file, dir)).toThrow(/line 2 is not a recorded response/)
  expect(() => createReplayModel('nowhere.jsonl', dir)).toThrow(UserError)
})

test('a recording that cannot be written makes the response fail', async () => {
  writeFileSync(join(dir, 'file'), '')
  const reply = await ask(
    recordModel(canned([text('a'), end]), { file: 'file/below.jsonl', cwd: dir, keys: [] }),
  )
  expect(reply.failure?.message).toMatch(/cannot write the recording/)
})

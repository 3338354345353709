// The replay of a conversation from the log, and its compaction when it grows too long.
import { expect, test } from 'vitest'
import type { ModelMessage } from '../../../../internal/model/model.ts'
import { makeStudyEntry, type StudyEntries } from '../../../../internal/study/log/entries.ts'
import { dropOldResults } from '../../../../internal/study/worker/result-compaction.ts'
import { replayTask } from '../../../../internal/study/worker/task-replay.ts'
import { evidence } from '../../../support/study.ts'

const log = (...entries: ReturnType<typeof makeStudyEntry>[]) =>
  entries.map((line, i) => ({ ...line, seq: i + 1, ts: i }))
const call = (id: string) => ({ id, name: 'read', args: { path: id } })
const step = (n: number, over: Partial<StudyEntries['step']> = {}) =>
  makeStudyEntry('step', {
    task: 't1',
    n,
    request: `r${n}`,
    mail: [],
    notes: [],
    reply: { text: `reply ${n}`, calls: [], end: 'stop' },
    usage: { input: 10, output: 1, usd: 0.5 },
    ms: 5,
    ...over,
  })
const calling = (...ids: string[]) => ({ text: '', calls: ids.map(call), end: 'calls' as const })
const answer = (n: number, id: string, ids: string[] = []) =>
  makeStudyEntry('result', {
    task: 't1',
    n,
    call: id,
    tool: 'read',
    ok: true,
    text: `text of ${id}`,
    evidence: ids,
    ms: 1,
  })

test('restores messages unchanged, and a call without a result is open', () => {
  const told = replayTask(
    'go',
    log(
      step(1, { reply: calling('a', 'b') }),
      makeStudyEntry('evidence', evidence('E1.1', 'x', { task: 't1', canonical: 'a.md' })),
      answer(1, 'a', ['E1.1']),
      answer(1, 'b'),
      makeStudyEntry('step', { ...(step(1).data as unknown as StudyEntries['step']), task: 't2' }),
      step(2, {
        mail: [{ id: 'M', from: 't2', type: 'status', body: 'hello' }],
        notes: ['a note'],
        reply: calling('c', 'd'),
      }),
      answer(2, 'c'),
    ),
    't1',
  )
  expect(told.messages).toMatchObject([
    { role: 'user', content: 'go' },
    { role: 'assistant', calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', callId: 'a', content: 'text of a', evidence: [{ id: 'E1.1', path: 'a.md' }] },
    { role: 'tool', callId: 'b', content: 'text of b', failed: false },
    { role: 'user', origin: 'mail', content: expect.stringContaining('hello') },
    { role: 'user', origin: 'note', content: 'a note' },
    { role: 'assistant' },
    { role: 'tool', callId: 'c' },
  ])
  expect(told.open?.calls.map(({ id }) => id)).toEqual(['d'])
  expect(told).toMatchObject({
    steps: 2,
    idle: 0,
    fresh: 0,
    notes: ['a note'],
    spent: { tokens: 22, usd: 1, ms: 10 },
  })
  expect([...told.mail]).toEqual(['M'])
})

test('counts an empty response as paid, but not as a message', () => {
  const told = replayTask('go', log(step(1, { reply: { text: ' ', calls: [], end: 'stop' } })), 't1')
  expect([told.steps, told.messages.length, told.open]).toEqual([1, 1, undefined])
})

test('a price that was unknown once stays unknown', () => {
  const told = replayTask('go', log(step(1, { usage: { input: 1, output: 1, usd: null } }), step(2)), 't1')
  expect(told.spent.usd).toBeNull()
})

test('drops the oldest results first, the same way each time, and keeps the latest results and the ids', () => {
  const conversation = (): ModelMessage[] => [
    { role: 'user', content: 'go' },
    ...['a', 'b', 'c'].flatMap((id): ModelMessage[] => [
      { role: 'assistant', content: '', calls: [call(id)] },
      {
        role: 'tool',
        callId: id,
        name: 'read',
        content: `[evidence E1.1 = ${id}, 1-9]\n${'x'.repeat(4000)}`,
      },
    ]),
  ]
  const messages = conversation()
  expect(dropOldResults(messages, 75_000)).toBe(false)
  expect(messages).toEqual(conversation())
  expect(dropOldResults(messages, 1600)).toBe(true)
  expect(messages.map(({ content }) => String(content).length > 1000)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    true,
  ])
  expect(messages[2]?.content).toContain('[evidence E1.1 = a, 1-9]')
  const twin = conversation()
  dropOldResults(twin, 1600)
  expect(twin).toEqual(messages)
  const once = structuredClone(messages)
  dropOldResults(messages, 100)
  expect(dropOldResults(messages, 100), 'what is gone is not taken away again').toBe(false)
  expect(messages.at(-1)).toEqual(once.at(-1))
})

// A call and its result are joined, also where the call never ran and only the model's reply has its arguments.
import { expect, test } from 'vitest'
import type { Event, EventDraft } from '../../../../internal/event/event.ts'
import { readOutcomes } from '../../../../internal/tui/run-view/tool-outcome.ts'

const event = (draft: EventDraft) => ({ ...draft, id: '1', run_id: 'r', seq: 1, ts: 0 }) as Event
const result = { call: 'call_1', model_call: 'm1', tool: 'bash', ok: false, text: 'no', code: 'denied' }
const reply = (id: string, args: unknown): EventDraft => ({
  type: 'message',
  payload: { role: 'assistant', text: '', calls: [{ id, name: 'bash', args }] },
})

test('a call brings its arguments and what it writes', () => {
  const reader = readOutcomes()
  const scope = [{ kind: 'path', path: 'a', access: 'write' }, { kind: 'path', path: 'b', access: 'read' }, 7]
  const payload = { call: 'call_1', tool: 'bash', args: { command: 'ls' }, scope: scope as never }
  const begun = reader.begin(event({ type: 'tool.call', payload }))
  expect(begun).toEqual({ call: 'call_1', tool: 'bash', args: { command: 'ls' } })
  expect(reader.end({ ...result, data: { exit: 1 }, data_cut: true })).toMatchObject({
    args: { command: 'ls' },
    writes: ['a'],
    data: { exit: 1 },
    isCut: true,
  })
})

test.each<[string, EventDraft | undefined, object]>([
  ['the reply', reply('m1', { command: 'rm' }), { command: 'rm' }],
  [
    'the question',
    {
      type: 'permission.asked',
      payload: { call: 'call_1', tool: 'bash', reasons: [], args: { command: 'cd' } },
    },
    { command: 'cd' },
  ],
  ['nowhere', undefined, {}],
  ['arguments that are none', reply('m1', 'broken'), {}],
])('a call that never ran has its arguments from %s', (_, draft, args) => {
  const reader = readOutcomes()
  if (draft) expect(reader.begin(event(draft))).toBeUndefined()
  expect(reader.end(result)).toMatchObject({ args, ok: false, code: 'denied', data: {}, writes: [] })
})

test('an id that an endpoint uses again belongs to its last reply', () => {
  const reader = readOutcomes()
  reader.begin(event(reply('m1', { command: 'one' })))
  reader.end(result)
  reader.begin(event(reply('m1', { command: 'two' })))
  expect(reader.end(result).args).toEqual({ command: 'two' })
})

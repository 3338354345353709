// A call and its result are joined, also where the call never ran and only the response of the model has its arguments.
import { expect, test } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import { findCallBlock } from '../../../../internal/session/view/session-view.ts'
import { outcomeOfBlock, readOutcome } from '../../../../internal/tui/run-view/tool-outcome.ts'
import { foldDrafts } from '../../../support/session-view.ts'

const result = { call: 'call_1', model_call: 'm1', tool: 'bash', ok: false, text: 'no', code: 'denied' }
const reply = (id: string, args: unknown): EventDraft => ({
  type: 'message',
  payload: { role: 'assistant', text: '', calls: [{ id, name: 'bash', args }] },
})
const asked = (args?: Record<string, unknown>): EventDraft => ({
  type: 'permission.asked',
  payload: { call: 'call_1', tool: 'bash', reasons: [], args },
})
const begun = (args: unknown): EventDraft => ({
  type: 'tool.call',
  payload: { call: 'call_1', tool: 'bash', args },
})

test.each<[string, EventDraft[], object]>([
  ['the call', [reply('m1', { command: 'ls -l' }), begun({ command: 'ls' })], { command: 'ls' }],
  ['the call, not the question', [asked({ command: 'cd' }), begun({ command: 'ls' })], { command: 'ls' }],
  ['the response', [reply('m1', { command: 'rm' })], { command: 'rm' }],
  ['the response, where a call has none', [reply('m1', { command: 'rm' }), begun(null)], { command: 'rm' }],
  ['the response, where a question has none', [reply('m1', { command: 'rm' }), asked()], { command: 'rm' }],
  [
    'the latest response',
    [reply('m1', { command: 'one' }), reply('m1', { command: 'two' })],
    { command: 'two' },
  ],
  ['the question', [asked({ command: 'cd' })], { command: 'cd' }],
  ['no event', [], {}],
  ['arguments that are not an object', [reply('m1', 'broken')], {}],
])('the arguments are from %s', (_, drafts, args) => {
  const before = foldDrafts(drafts)
  expect(readOutcome(result, before)).toMatchObject({ args, ok: false, code: 'denied', data: {} })
})

test('the block of a call has the outcome of its result', () => {
  const ended = { ...result, data: { exit: 1 }, data_cut: true }
  const before = foldDrafts([begun({ command: 'ls' })])
  const block = findCallBlock(foldDrafts([{ type: 'tool.result', payload: ended }], before), 'call_1')
  expect(block && outcomeOfBlock(block)).toEqual(readOutcome(ended, before))
  expect(readOutcome(ended, before)).toMatchObject({ data: { exit: 1 }, isCut: true })
})

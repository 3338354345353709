// Calls as a terminal shows them: what is running, what ended, what was refused, what changed.
import { expect, test } from 'vitest'
import type { Event, EventDraft } from '../../../../internal/event/event.ts'
import { openCallDisplay } from '../../../../internal/tui/run-view/call-display.ts'
import { penOf } from '../../../support/tui.ts'

const event = (draft: EventDraft) => ({ ...draft, id: '1', run_id: 'r', seq: 1, ts: 0 }) as Event

test('calls run, tell how far they are, and end', () => {
  const lines: string[] = []
  const display = openCallDisplay(
    () => penOf(40),
    (more) => lines.push(...more),
  )
  const of = { call: 'call_1', tool: 'bash' }
  expect(display.running()).toBe('')
  expect(
    display.event(event({ type: 'tool.call', payload: { ...of, args: { command: 'ls\n\u001b[2J' } } })),
  ).toBe(true)
  expect(display.running()).toBe('bash ls')
  display.event(
    event({ type: 'tool.progress', payload: { ...of, progress: 2, total: 3, message: 'x\u0007' } }),
  )
  expect(display.running()).toBe('bash 2/3 x')
  display.event(event({ type: 'tool.progress', payload: { ...of, call: 'other', progress: 2 } }))
  expect(display.running()).toBe('bash 2/3 x')
  const denied: EventDraft = {
    type: 'tool.result',
    payload: { ...of, ok: false, code: 'denied', text: 'bash was not allowed: no rule', ms: 1 },
  }
  expect(display.event(event(denied))).toBe(true)
  expect(display.running()).toBe('')
  expect(display.denied()).toBe(1)
  expect(lines).toEqual([expect.stringMatching(/^✖ bash ls +1 ms$/), '  bash was not allowed: no rule'])
  const data = { path: 'a', added: 1, removed: 0, diff: 'x\ny\n@@ -0,0 +1 @@\n+z\n' }
  display.event(
    event({ type: 'tool.result', payload: { call: 'c2', tool: 'edit_file', ok: true, text: '', data } }),
  )
  expect(display.files()).toEqual([{ kind: 'M', path: 'a', added: 1, removed: 0, counted: true }])
  expect(display.event(event({ type: 'message', payload: { role: 'user', text: '' } }))).toBe(false)
})

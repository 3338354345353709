// A whole run on the two streams of a terminal, and with one of them redirected.
import { expect, test } from 'vitest'
import { openRunScreen } from '../../../../cmd/anode/execute/run-screen.ts'
import type { Event, EventDraft } from '../../../../internal/event/event.ts'
import { openRunView } from '../../../../internal/tui/run-view/run-view.ts'
import { openTerminalLook } from '../../../../internal/tui/run-view/terminal-look.ts'
import { penOf, sink } from '../../../support/tui.ts'

const spent = {
  input: 10,
  output: 5,
  cached: 0,
  cacheWrite: 0,
  usd: null,
  estimated: false,
  requests: 2,
  calls: 1,
}
const again = { retry: 2, tries: 5, wait_ms: 3000, why: 'the \u001b[2Jline broke' }
const calls = [{ id: 'm1', name: 'read', args: { path: 'a' } }]
const run: EventDraft[] = [
  { type: 'system.init', payload: { profile: 'own', model: 'm/x', mode: 'ask', cwd: '/srv', tools: [] } },
  { type: 'message.delta', status: 'discarded', payload: again },
  { type: 'message.delta', payload: { text: 'I *look*.\n\nThen' } },
  { type: 'message.delta', status: 'discarded', payload: again },
  { type: 'message.delta', payload: { text: 'I *look*.\n\nThen I tell.' } },
  { type: 'message', payload: { role: 'assistant', text: 'I *look*.\n\nThen I tell.', calls } },
  { type: 'tool.call', payload: { call: 'c1', tool: 'read', args: { path: 'a' } } },
  { type: 'tool.result', payload: { call: 'c1', tool: 'read', ok: true, text: '', ms: 3 } },
  { type: 'child.started', payload: { thread: 'sess_1', title: 'look' } },
  { type: 'limit', payload: { limit: 'turns', message: 'no turns are left' } },
  { type: 'message.delta', payload: { text: '# End' } },
  { type: 'message', payload: { role: 'assistant', text: '# End' } },
]

function play(isOut: boolean, isErr: boolean, env: Record<string, string> = { TERM: 'dumb' }) {
  const text: string[] = []
  const streams = [isOut, isErr].map((isTTY) => {
    const one = sink(isTTY, 40)
    return {
      ...one,
      write: (more: string) => {
        one.write(more)
        text.push(more)
      },
    }
  })
  const [out, err] = streams as [(typeof streams)[0], (typeof streams)[0]]
  const screen = openRunScreen({ out, err, env })
  for (const draft of run) screen.event({ ...draft, id: '1', run_id: 'r', seq: 1, ts: 0 } as Event)
  screen.note('take \u001b[31mcare')
  screen.done()
  const isDrawn = screen.answer('# End')
  screen.summary({ spent, ms: 10 })
  return { out: out.text(), err: err.text(), all: text.join(''), isDrawn }
}

test('prints everything in order, once', () => {
  const { all, isDrawn } = play(true, true)
  expect(isDrawn).toBe(true)
  expect(all.split('\n')).toEqual([
    'own  m/x  ask  /srv',
    '',
    '… the line broke; try 2 of 5, again in',
    '3.0 s',
    '',
    'I look.',
    '',
    'interrupted, retried, 2 of 5: the line',
    'broke',
    '',
    '',
    'Then I tell.',
    '',
    '✔ read a                            3 ms',
    '> look  sess_1',
    '! no turns are left',
    '',
    'End',
    '',
    'note: take care',
    '',
    'cost unknown  10/5 tokens  1 call  10 ms',
    '',
  ])
})

test('writes the answer to the pipe, and notices to the terminal', () => {
  const { out, err, isDrawn } = play(false, true)
  expect(isDrawn).toBe(false)
  expect(out).toBe('')
  expect(err).toContain('\nI look.\n\nThen I tell.\n')
  expect(err).not.toContain('End')
})

test('with only the answer on a terminal prints the rest as in a pipe', () => {
  const { out, err } = play(true, false)
  expect(out).toBe('I look.\n\nThen I tell.\nEnd\n')
  expect(err).toContain('✔ read a  3 ms\n> look  sess_1\n! no turns are left\nnote: take care\n')
})

test('NO_COLOR writes no color, a dumb terminal no escape sequence, others the sixteen colors', () => {
  expect(play(true, true).all).not.toContain('\u001b')
  expect(play(true, true, { TERM: 'xterm', NO_COLOR: '1' }).all).not.toMatch(/\u001b\[[\d;]*m/)
  const codes = play(true, true, { TERM: 'xterm-256color' }).all.match(/\u001b\[[\d;]*m/g) ?? []
  expect(codes.length).toBeGreaterThan(0)
  expect(codes.filter((code) => /[34]8;/.test(code))).toEqual([])
})

test('calls run, report their progress, and end', () => {
  const look = openTerminalLook({ pen: () => penOf(40), wordsLook: () => penOf(40).look, isWhole: false })
  const run = openRunView(look.draw)
  const take = (draft: EventDraft) => run.take({ ...draft, id: '1', run_id: 'r', seq: 1, ts: 0 } as Event)
  const of = { call: 'call_1', tool: 'bash' }
  const live = (draft: EventDraft) => take(draft).live?.text
  expect(live({ type: 'message', payload: { role: 'user', text: '' } })).toBe('thinking')
  expect(live({ type: 'tool.call', payload: { ...of, args: { command: 'ls\n\u001b[2J' } } })).toBe('bash ls')
  const step = { ...of, progress: 2, total: 3, message: 'x\u0007' }
  expect(live({ type: 'tool.progress', payload: step })).toBe('bash 2/3 x')
  expect(live({ type: 'tool.progress', payload: { ...step, call: 'other' } })).toBe('bash 2/3 x')
  const denied = { ...of, ok: false, code: 'denied', text: 'bash was not allowed: no rule', ms: 1 }
  const drawn = take({ type: 'tool.result', payload: denied })
  expect(drawn.live?.text).toBe('thinking')
  expect(drawn.lines).toEqual([expect.stringMatching(/^✖ bash ls +1 ms$/), '  bash was not allowed: no rule'])
  const data = { path: 'a', added: 1, removed: 0, diff: 'x\ny\n@@ -0,0 +1 @@\n+z\n' }
  take({ type: 'tool.result', payload: { call: 'c2', tool: 'edit_file', ok: true, text: '', data } })
  expect(look.summary({ spent, ms: 10 }).join(' ')).toMatch(/^M a \+1 -0 .* 1 call, 1 denied /)
})

// What each host prints of random runs, byte for byte: a pipe, a terminal, a log, and a screen of lines.
import { createHash } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import type { Event, EventDraft } from '../../../../internal/event/event.ts'
import { openRunView, progressLook } from '../../../../internal/tui/run-view/run-view.ts'
import { golden } from '../../../support/golden.ts'
import { hosts, playRun } from '../../../support/run-hosts.ts'

const shown = [1, 2, 3, 4]
const counted = 100

test.each(Object.keys(hosts))('%s', async (host) => {
  const texts: string[] = []
  for (const seed of shown) texts.push(`# run ${seed}\n${await playRun(host, seed)}`)
  const hash = createHash('sha256')
  for (let seed = 0; seed < counted; seed++) hash.update(await playRun(host, seed))
  golden(`run/${host}.txt`, `${texts.join('\n')}\n# ${counted} runs: ${hash.digest('hex')}\n`)
})

// The progress of a run in a pipe: one clean line for each call.

describe('progress look', () => {
  function shown(drafts: readonly EventDraft[]): string {
    const run = openRunView(progressLook)
    const events = drafts.map(
      (draft, i) => ({ ...draft, id: String(i), run_id: 'r', seq: i + 1, ts: 0 }) as Event,
    )
    return events
      .flatMap((event) => run.take(event).lines)
      .map((line) => `${line}\n`)
      .join('')
  }

  const drafts: EventDraft[] = [
    { type: 'tool.call', payload: { call: 'a', tool: 'bash', args: { command: 'ls\n\u001b[2Jrm' } } },
    { type: 'tool.result', payload: { call: 'a', tool: 'bash', ok: true, text: '', ms: 12 } },
    { type: 'tool.call', payload: { call: 'b', tool: 'read', args: { path: 'none.txt' } } },
    {
      type: 'tool.result',
      payload: { call: 'b', tool: 'read', ok: false, code: 'not_found', text: '', ms: 2500 },
    },
    { type: 'tool.result', payload: { call: 'c', tool: 'grep', ok: false, text: '' } },
    { type: 'message.delta', status: 'discarded', payload: { why: 'the line broke' } },
    { type: 'child.started', payload: { thread: 'sess_1', title: 'look' } },
    { type: 'limit', payload: { limit: 'turns', message: 'no turns are left' } },
  ]

  it('prints a line per call with its end and time, without control characters', () => {
    const text = shown(drafts)
    expect(text).not.toContain('\u001b')
    const lines = text.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^✔ bash ls .*rm {2}12 ms$/)
    expect(lines.slice(1, 6)).toEqual([
      '✖ read none.txt  not_found  2.5 s',
      '✖ grep  failed',
      '… the line broke; trying again',
      '> look  sess_1',
      '! no turns are left',
    ])
  })

  /** A call of a model with its result, as `run` and `refused` record it. */
  const callOf = (name: string, args: Record<string, unknown>): EventDraft => ({
    type: 'message',
    payload: { role: 'assistant', text: '', calls: [{ id: 'm1', name, args }] },
  })
  const resultOf = (tool: string, more: Record<string, unknown>): EventDraft => ({
    type: 'tool.result',
    payload: { call: 'x', tool, model_call: 'm1', ok: true, text: '', ...more },
  })

  it.each([
    ['bash', { command: 'git push' }, { ok: false, code: 'denied' }, '✖ bash git push  denied'],
    [
      'edit_file',
      { path: 'a.txt', old_str: 'x' },
      { ok: false, code: 'old_not_found' },
      '✖ edit_file a.txt  old_not_found',
    ],
    ['read', { pth: 'a.txt' }, { ok: false, code: 'bad_args' }, '✖ read a.txt  bad_args'],
    ['mcp__s__t', null, { ok: false, code: 'denied' }, '✖ mcp__s__t  denied'],
    ['read', { path: 'a.ts', start_line: 3, end_line: 9 }, {}, '✔ read a.ts:3-9'],
    ['read', { path: 'a.ts', start_line: 1, end_line: 9 }, {}, '✔ read a.ts:1-9'],
    ['read', { path: 'a.ts', end_line: 9 }, {}, '✔ read a.ts:1-9'],
    ['read', { path: 'a.ts', start_line: 3 }, {}, '✔ read a.ts:3-'],
    ['read', { path: 'a.ts', start_line: 1 }, {}, '✔ read a.ts'],
    ['read', { path: 'a.ts', read_range: [2, 5] }, {}, '✔ read a.ts:2-5'],
    ['read', { path: 'a.ts', read_range: [2] }, {}, '✔ read a.ts:2-'],
    ['grep', { pattern: 'x' }, { data: { matches: [] } }, '✔ grep x  no match'],
    ['grep', { pattern: 'x' }, { data: { matches: [{}] } }, '✔ grep x'],
    ['glob', { pattern: '*.zig' }, { data: { matches: [], total: 0 } }, '✔ glob *.zig  no match'],
    ['finder', { query: 'x' }, { data: { results: [] }, ms: 12 }, '✔ finder x  no match  12 ms'],
    ['bash', { command: 'x' }, { ok: false, code: 'timeout', exit: 143 }, '✖ bash x  timed out'],
    ['bash', { command: 'x' }, { ok: false, code: 'command_failed', exit: 3 }, '✖ bash x  exit 3'],
  ] as [string, Record<string, unknown>, Record<string, unknown>, string][])(
    '%s %j with %j',
    (tool, args, end, line) => {
      const refused = [callOf(tool, args), resultOf(tool, end)]
      expect(shown(refused).split('\n')[0]).toBe(line)
      const run: EventDraft = { type: 'tool.call', payload: { call: 'x', tool, model_call: 'm1', args } }
      expect(shown([callOf(tool, args), run, resultOf(tool, end)]).split('\n')[0]).toBe(line)
    },
  )

  it('says which try comes next, and when', () => {
    const payload = { why: '429 slow down', retry: 2, tries: 5, wait_ms: 3000 }
    const again: EventDraft[] = [
      { type: 'message.delta', status: 'discarded', payload },
      { type: 'message.delta', status: 'discarded', payload: { ...payload, wait_ms: 0 } },
    ]
    expect(shown(again).split('\n').slice(0, 2)).toEqual([
      '… 429 slow down; try 2 of 5, again in 3.0 s',
      '… 429 slow down; try 2 of 5',
    ])
  })
})

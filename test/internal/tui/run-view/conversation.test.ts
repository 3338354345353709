// The conversation of a session as lines, at three widths, without colors, and in ASCII.
import { describe, expect, test } from 'vitest'
import type { ConversationBlock } from '../../../../internal/session/view/session-view.ts'
import {
  drawConversation,
  drawPart,
  partConversation,
} from '../../../../internal/tui/run-view/conversation.ts'
import { golden } from '../../../support/golden.ts'
import { cartDrafts, foldDrafts, lookOf, startedAt } from '../../../support/session-view.ts'

const now = startedAt + 60_000
const draw = (look = lookOf()) => {
  const view = foldDrafts([
    ...cartDrafts,
    { type: 'permission.decided', payload: { call: 'c4', tool: 'bash', action: 'allow', why: 'said so' } },
    { type: 'tool.call', payload: { call: 'c4', tool: 'bash', args: {} } },
    { type: 'tool.progress', payload: { call: 'c4', tool: 'bash', progress: 1, message: 'one\nRUN  v3\n' } },
  ])
  return drawConversation(partConversation(view.blocks, false), now, look)
}

test.each([40, 80, 120])('a run at %i cells', (width) => {
  golden(`session/conversation-${width}.txt`, `${draw(lookOf(width)).join('\n')}\n`)
})

test('a run in ASCII contains only ASCII', () => {
  const text = draw(lookOf(80, 0, false)).join('\n')
  expect(text).not.toMatch(/[^\x20-\x7e\n]/)
  golden('session/conversation-ascii.txt', `${text}\n`)
})

const readCall = (id: string, ok = true): ConversationBlock => ({
  ...{ kind: 'call', id, tool: 'read', args: { path: `${id}.ts` }, since: 0, state: 'ended' },
  result: { call: id, tool: 'read', ok, text: 'error not_found: it is not there', ms: 2 },
})
const answer: ConversationBlock = { kind: 'answer', id: 'a', text: 'Yes.', interrupted: false }

describe('adjacent reads', () => {
  test('share one row, and a failed one has a separate row', () => {
    const blocks = [readCall('a'), readCall('b'), readCall('c', false), readCall('d')]
    const lines = drawConversation(partConversation(blocks, true), now, lookOf(70))
    expect(lines.map((line) => line.trimEnd())).toEqual([
      ` ✔ 2 reads     a.ts, b.ts${' '.repeat(41)}4 ms`,
      expect.stringContaining('✖ read        c.ts'),
      '   it is not there',
      expect.stringContaining('✔ read        d.ts'),
    ])
  })

  test('are final once something else follows or the run has ended', () => {
    const finals = (blocks: ConversationBlock[], isIdle: boolean) =>
      partConversation(blocks, isIdle).map(({ isFinal }) => isFinal)
    expect(finals([readCall('a'), readCall('b')], false)).toEqual([false])
    expect(finals([readCall('a'), readCall('b')], true)).toEqual([true])
    expect(finals([readCall('a'), answer], false)).toEqual([true, true])
  })
})

test('nothing below a running call is final', () => {
  const running: ConversationBlock = {
    kind: 'call',
    id: 'r',
    tool: 'bash',
    args: {},
    since: 0,
    state: 'running',
  }
  expect(partConversation([answer, running, answer], false).map(({ isFinal }) => isFinal)).toEqual([
    true,
    false,
    false,
  ])
})

test('lays out a finished part once per look', () => {
  const [part] = partConversation([answer], true)
  const look = lookOf()
  const first = drawPart(part as never, now, look)
  expect(drawPart(part as never, now, look)).toBe(first)
  expect(drawPart(part as never, now, lookOf(40))).not.toBe(first)
})

test('a running call redraws its duration', () => {
  const running: ConversationBlock = {
    kind: 'call',
    id: 'r',
    tool: 'bash',
    args: {},
    since: now,
    state: 'running',
  }
  const [part] = partConversation([running], false)
  expect(drawPart(part as never, now + 5_000, lookOf())[0]).toContain('5.0 s')
  expect(drawPart(part as never, now + 65_000, lookOf())[0]).toContain('1:05 min')
})

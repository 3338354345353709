// Views of sessions for tests: events as a session sends them, folded as a screen folds them.
import type { Event, EventDraft } from '../../internal/event/event.ts'
import type { RenderLook } from '../../internal/render/pen.ts'
import type { ColorDepth } from '../../internal/render/terminal.ts'
import { foldSessionEvent } from '../../internal/session/view/fold.ts'
import { emptyView, type SessionView } from '../../internal/session/view/session-view.ts'

export const lookOf = (width = 80, color: ColorDepth = 0, unicode = true): RenderLook => ({
  width,
  color,
  unicode,
  ambiguous: 1,
  all: false,
})

/** The time of the first event. */
export const startedAt = 1_790_000_000_000

/** Folds the events with 100 ms between them. */
export function foldDrafts(drafts: readonly EventDraft[], view = emptyView('01JD3K8QAA')): SessionView {
  return drafts.reduce((before, draft, i) => {
    const frame = { id: `e${before.pos + i}`, run_id: 'r1', seq: i + 1, ts: startedAt + i * 100 }
    return foldSessionEvent(before, { ...draft, ...frame, pos: before.pos + 1 } as Event & { pos: number })
  }, view)
}

const read = (call: string, path: string, lines: number): EventDraft[] => [
  { type: 'tool.call', payload: { call, tool: 'read', args: { path } } },
  {
    type: 'tool.result',
    payload: { call, tool: 'read', ok: true, text: '', ms: 4, data: { start_line: 1, end_line: lines } },
  },
]

export const longCommand = 'npm test -- cart && git commit -am "Round half up"'

/** A run that read, changed a file, and waits for an answer to a command. */
export const cartDrafts: readonly EventDraft[] = [
  {
    type: 'system.init',
    payload: { profile: 'craft', model: 'openai/gpt-5.4', mode: 'auto', cwd: '/w', tools: [] },
  },
  { type: 'session.changed', payload: { title: 'Round half up in the cart total' } },
  { type: 'message', payload: { role: 'user', text: 'Round half up in the cart total, then commit' } },
  { type: 'usage', payload: { input: 36_000, output: 2_100, usd: 0.07 } },
  {
    type: 'message',
    payload: {
      role: 'assistant',
      text: 'The total is rounded in `src/cart/total.ts:41`. I change it **there**.\n\n- one\n- two',
      calls: [],
    },
  },
  ...read('c1', 'src/cart/total.ts', 88),
  ...read('c2', 'src/cart/money.ts', 12),
  {
    type: 'tool.call',
    payload: { call: 'c3', tool: 'edit_file', args: { path: 'src/cart/total.ts', old: 'a', new: 'b' } },
  },
  {
    type: 'tool.result',
    payload: {
      ...{ call: 'c3', tool: 'edit_file', ok: true, text: 'changed', ms: 11 },
      data: {
        ...{ path: 'src/cart/total.ts', added: 1, removed: 1 },
        diff: '--- a\n+++ b\n@@ -40,3 +40,3 @@\n total() {\n-  round(x)\n+  roundHalfUp(x)\n }\n',
      },
    },
  },
  {
    type: 'permission.asked',
    payload: {
      ...{ call: 'c4', tool: 'bash', args: { command: longCommand }, cwd: '/home/ann/shop' },
      reasons: ['no rule allows git commit'],
      always: {
        rule: { tool: 'bash', action: 'allow', command: 'git commit' },
        covers: 'git commit --amend',
      },
    },
  },
]

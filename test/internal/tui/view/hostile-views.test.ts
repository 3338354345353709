// Every view with text made to break it: no line is wider than the look, and nothing in it steers a terminal.

import { describe, expect, test } from 'vitest'
import type { RenderLook } from '../../../../internal/render/pen.ts'
import type { ColorDepth } from '../../../../internal/render/terminal.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import type { PendingPermission } from '../../../../internal/session/snapshot.ts'
import {
  type ConversationBlock,
  emptyView,
  type SessionView,
} from '../../../../internal/session/view/session-view.ts'
import { openApprovalDialog, pressApprovalKey } from '../../../../internal/tui/dialog/approval-dialog.ts'
import { showDialog } from '../../../../internal/tui/dialog/dialog-focus.ts'
import { openPicker } from '../../../../internal/tui/dialog/picker.ts'
import { openQuestionDialog } from '../../../../internal/tui/dialog/question-dialog.ts'
import { cutRow } from '../../../../internal/tui/inline/inline-rows.ts'
import { drawConversation, partConversation } from '../../../../internal/tui/run-view/conversation.ts'
import {
  advanceReply,
  drawOpenPart,
  drawReplyState,
  noReplyParts,
} from '../../../../internal/tui/run-view/open-reply.ts'
import { drawApprovalBox, layOutApproval } from '../../../../internal/tui/view/approval-box.ts'
import { stripStyles } from '../../../../internal/tui/view/box.ts'
import { frameEditor } from '../../../../internal/tui/view/editor-frame.ts'
import { drawPicker } from '../../../../internal/tui/view/picker-list.ts'
import { drawQuestionForm } from '../../../../internal/tui/view/question-form.ts'
import { drawThreadChanges, drawUsage } from '../../../../internal/tui/view/session-pages.ts'
import { drawStatusLine, drawTitleLine } from '../../../../internal/tui/view/status-line.ts'
import { drawAgents, drawQueue, drawTodoList, drawTodoRow } from '../../../../internal/tui/view/work-rows.ts'
import { rounds } from '../../../support/sample.ts'
import { startedAt } from '../../../support/session-view.ts'
import { below, hostile, type Rng, random } from '../../render/random.ts'
import { drawHostilePages } from './hostile-pages.ts'

function hostileBlocks(rng: Rng): ConversationBlock[] {
  const text = () => hostile(rng, 40)
  const ok = rng() < 0.5
  const call = { kind: 'call', tool: text(), args: { command: text(), path: text() }, since: 0 } as const
  const diff = `--- a\n+++ b\n@@ -1 +1 @@\n-${text()}\n+${text()}\n`
  const data = rng() < 0.5 ? { exit: 1 } : { path: text(), diff, added: 1, removed: 1 }
  return [
    { kind: 'user', id: '1', text: text(), images: below(rng, 3) },
    { kind: 'answer', id: '2', text: text(), interrupted: true },
    { ...call, id: '3', state: 'running', progress: text() },
    { ...call, id: '4', state: 'waits' },
    {
      ...call,
      id: '5',
      state: 'ended',
      result: { call: '5', tool: call.tool, ok, text: text(), data, ms: 5 },
    },
    {
      ...call,
      id: '6',
      tool: 'read',
      state: 'ended',
      result: { call: '6', tool: 'read', ok: true, text: '' },
    },
    {
      ...call,
      id: '7',
      tool: 'read',
      state: 'ended',
      result: { call: '7', tool: 'read', ok: true, text: '' },
    },
    { kind: 'notice', id: '8', text: text(), tone: 'warning' },
    { kind: 'summary', id: '9', text: text(), replaced: 3, kept: 1 },
    { kind: 'end', id: '10', end: text(), reason: text(), message: text(), ms: 5, usd: null },
  ]
}

function hostileView(rng: Rng): SessionView {
  const text = () => hostile(rng)
  const status = rng() < 0.5 ? 'in_progress' : text()
  return {
    ...emptyView(text()),
    ...{ title: text(), profile: text(), model: { id: text(), kind: 'language' } },
    blocks: hostileBlocks(rng),
    run: { since: 0, step: 1 },
    queue: [{ id: '1', kind: 'steer', text: text() }],
    todo: [{ content: text(), status }],
    children: [{ thread: 't', title: text(), profile: text(), since: 0 }],
    spending: { input: 1e6, output: 1e9, cached: 0, usd: null },
    context: { tokens: 1e6, window: 2e6 },
    dropped: below(rng, 2),
  }
}

function hostileRequest(rng: Rng): PendingPermission {
  const text = () => hostile(rng, 30)
  const hunks = `@@ -1 +1 @@\n-${text()}\n+${text()}\n`
  return {
    ...{ call: 'c', tool: text(), child: text(), cwd: text(), origin: text() },
    ...{ reasons: [text()], args: { command: text(), [text()]: text(), deep: { list: [text(), 1] } } },
    always: { rule: { tool: text(), action: 'allow', command: text() }, covers: text() },
    preview: { files: [{ path: text(), what: text(), hunks, added: 1, removed: 1 }], shows: [] },
  }
}

function allViews(rng: Rng, look: RenderLook): string[] {
  const view = hostileView(rng)
  const now = startedAt
  const request = hostileRequest(rng)
  const dialog = showDialog(openApprovalDialog(request, layOutApproval(request, look, 24)), 0)
  const typed = { key: '', text: hostile(rng, 30) }
  const words = pressApprovalKey(
    pressApprovalKey(dialog, { key: 'd', text: 'd' }, 900).state,
    typed,
    900,
  ).state
  const text = hostile(rng, 40)
  const option = { id: 'o', label: hostile(rng), description: hostile(rng) }
  const question = {
    id: 'q',
    question: text,
    reason: text,
    options: [option],
    allowFreeform: true,
    required: true,
  }
  const questionnaire = { from: hostile(rng), questions: [question, { ...question, id: 'p', topic: text }] }
  const { parts } = advanceReply(noReplyParts, { text, since: 1 })
  const retry = { attempt: 2, why: text }
  const file = {
    path: text,
    what: text,
    hunks: `@@ -1 +1 @@\n-${hostile(rng, 30)}\n+${text}\n`,
    added: 1,
    removed: 1,
  }
  const change = { file, isCut: true, agent: hostile(rng) }
  return [
    ...drawConversation(partConversation(view.blocks, true), now, look),
    drawStatusLine(view, hostile(rng), look),
    drawTitleLine(view, now, look),
    drawTitleLine(view, now, look, hostile(rng)),
    ...drawHostilePages(view, rng, look),
    ...drawApprovalBox(dialog, 3, look),
    ...drawApprovalBox(words, 3, look),
    ...drawQuestionForm(openQuestionDialog({ call: 'c', questionnaire }), 20, look),
    ...drawPicker(openPicker(text, [{ value: 1, label: text, about: text, unusable: text }]), 10, look),
    ...drawOpenPart(parts, look),
    ...drawReplyState({ text: '', reasoning: '', since: 0, retry }, now, look),
    ...[...drawTodoRow(view, look), ...drawTodoList(view, look), ...drawAgents(view, now, look)],
    ...[...drawQueue(view, look), ...drawUsage(view, look), ...drawThreadChanges([change], 1, look)],
    ...frameEditor([], look, text),
  ]
}

test('a row that is too wide for the screen is cut at its cells', () => {
  const cut = cutRow(9)
  expect(cut('\x1b[1m漢字漢字\x1b[22m')).toBe('\x1b[1m漢字漢字\x1b[22m')
  expect(cut('\x1b[1m漢字漢字漢字\x1b[22m')).toBe('漢字漢字 ')
})

describe.each([20, 40, 80, 120])('at %i cells', (width) => {
  test.each<[ColorDepth, boolean, 1 | 2, boolean]>([
    [0, true, 1, false],
    [3, true, 1, true],
    [1, false, 2, false],
  ])('colours %i, unicode %s, ambiguous %i, all %s', (color, unicode, ambiguous, all) => {
    const look: RenderLook = { width, color, unicode, ambiguous, all }
    for (let seed = 1; seed <= rounds(7, 25); seed++) {
      for (const line of allViews(random(seed * 1_000 + width), look)) {
        const bare = stripStyles(line)
        expect(bare, `${seed}`).not.toMatch(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
        expect(countCells(bare, ambiguous), `${seed}: ${JSON.stringify(bare)}`).toBeLessThanOrEqual(width)
        if (color === 0) expect(line).toBe(bare)
      }
    }
  })
})

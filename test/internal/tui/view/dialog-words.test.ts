// The dialogs at 30 to 80 cells: no row ends inside a word that has room in a row.

import { expect, test } from 'vitest'
import type { RenderLook } from '../../../../internal/render/pen.ts'
import type { PendingPermission } from '../../../../internal/session/snapshot.ts'
import { openApprovalDialog, pressApprovalKey } from '../../../../internal/tui/dialog/approval-dialog.ts'
import { openChoiceDialog } from '../../../../internal/tui/dialog/choice-dialog.ts'
import { showDialog } from '../../../../internal/tui/dialog/dialog-focus.ts'
import { openPicker } from '../../../../internal/tui/dialog/picker.ts'
import { openQuestionDialog } from '../../../../internal/tui/dialog/question-dialog.ts'
import { breakLines } from '../../../../internal/tui/terminal/rows.ts'
import { drawApprovalBox, layOutApproval } from '../../../../internal/tui/view/approval-box.ts'
import { boxCells } from '../../../../internal/tui/view/box.ts'
import { drawChoice, drawEntry } from '../../../../internal/tui/view/choice-box.ts'
import { narrowLook, penOfLook } from '../../../../internal/tui/view/look-pen.ts'
import { drawPicker } from '../../../../internal/tui/view/picker-list.ts'
import { drawQuestionForm } from '../../../../internal/tui/view/question-form.ts'
import { listTrustFileLines } from '../../../../internal/tui/view/trust-lines.ts'
import { lookOf } from '../../../support/session-view.ts'

/** A word that has no room in a row of any width here. */
const long = `/srv/${'a1b2c3/'.repeat(30)}end`
const sentence = 'It writes a file outside of the workspace, which this mode allows only once'
const command = `cp -r  src/cart  ${long} && npm   test -- cart --run && git commit -m "Round it up"`
const asked = {
  call: 'c1',
  tool: 'bash',
  child: `Look at the cart ${long} and its tests`,
  args: { command, timeout_ms: 1_000, note: sentence, list: [{ path: 'src/a b.ts', isNew: true }] },
  cwd: '/home/ann',
  reasons: [sentence, `a rule of the user denies ${long} for now`],
  parts: ['npm test -- cart', 'git commit -m "Round it up"'].map((name) => ({
    ...{ name, action: 'ask' as const, why: `no rule allows ${name}` },
  })),
  always: ['npm test', 'git commit'].map((begin) => ({
    rule: { tool: 'bash', action: 'allow', command: begin, cwd: '/home/shop' },
    covers: `every command that begins with "${begin}", also with other files`,
  })),
} as unknown as PendingPermission

const oneRule = [{ rule: { tool: 'bash', action: 'allow', command: 'npm test' }, covers: sentence }]

const preview = {
  shows: ['command'],
  files: [
    {
      ...{ path: 'src/cart/total.ts', what: 'changed', added: 1, removed: 1 },
      hunks:
        '@@ -1,1 +1,1 @@\n-const total = round( sum(items) )\n+const total = roundHalfUp( sum(items) )\n',
    },
  ],
}

const drawApproval = (over: object, look: RenderLook, keys: readonly string[] = []) => {
  const request = { ...asked, ...over }
  const shown = showDialog(openApprovalDialog(request, layOutApproval(request, look, 500)), 0)
  const press = (state: typeof shown, key: string) => pressApprovalKey(state, { key, text: key }, 1_000).state
  return drawApprovalBox(keys.reduce(press, shown), 1, look)
}

const questionnaire = {
  from: 'the model',
  questions: [
    {
      ...{
        id: 'q1',
        question: sentence,
        reason: `Both are in ${long}.`,
        required: true,
        allowFreeform: true,
      },
      options: [{ id: 'pg', label: 'PostgreSQL', description: sentence }],
    },
  ],
}

const dialogs: Readonly<Record<string, (look: RenderLook) => string[]>> = {
  'an approval of a command': (look) => drawApproval({}, look),
  'an approval with one rule': (look) => drawApproval({ parts: undefined, always: oneRule }, look),
  'an approval of a change': (look) => drawApproval({ parts: undefined, preview }, look),
  'a denial with a message': (look) => drawApproval({}, look, ['d']),
  'a choice': (look) => {
    const pen = penOfLook(narrowLook(look, boxCells))
    const lines = listTrustFileLines({
      path: 'AGENTS.md',
      effects: [sentence],
      text: `${command}\n${sentence}`,
    })
    const layout = { rows: breakLines(lines, pen.look.width, pen), height: 500 }
    const answers = [{ key: 'y', label: sentence }, ...['n', 'x'].map((key) => ({ key, label: 'leave it' }))]
    return drawChoice(openChoiceDialog('Trust', layout, answers), look)
  },
  'an entry': (look) =>
    drawEntry({ title: 'Key', lines: [sentence, command], text: '', isSecret: true }, look),
  'a question': (look) => drawQuestionForm(openQuestionDialog({ call: 'c', questionnaire }), 200, look),
  'a picker': (look) =>
    drawPicker(openPicker('Pick', [{ value: 1, label: 'one', about: 'first' }]), 20, look),
  'an empty picker': (look) => drawPicker(openPicker('Pick', [], { none: sentence }), 20, look),
  'a picker with a note': (look) => drawPicker({ ...openPicker('Pick', []), note: sentence }, 20, look),
}

/** Returns the words inside of the box, whose first and last rows are its edges. */
const wordsIn = (rows: readonly string[]) =>
  rows.slice(1, -1).flatMap((row) =>
    row
      .slice(1, -1)
      .split(/ +/)
      .filter((word) => word !== ''),
  )

test.each(Object.entries(dialogs))('%s', (_, draw) => {
  const whole = new Set([...wordsIn(draw(lookOf(600))), '╎', 'keep'])
  for (let width = 30; width <= 80; width++) {
    const broken = wordsIn(draw(lookOf(width))).filter((word) => !whole.has(word))
    // A row may also begin or end inside the long word.
    expect(
      broken.filter((word) => !long.includes(word.replace(/[.]$/, ''))),
      `${width} cells`,
    ).toEqual([])
  }
})

/** Returns the text without the edges of a box and without spaces, at which rows break. */
const letters = (text: string) => text.replace(/[^\w/]/g, '')

const longTitle = 'Open another conversation while this one still runs'
const titled: Readonly<Record<string, (look: RenderLook) => { rows: string[]; title: string }>> = {
  'an approval': (look) => {
    const request = { ...asked, cwd: '/srv/shop/services/cart and payments' }
    const shown = showDialog(openApprovalDialog(request, layOutApproval(request, look, 24)), 0)
    return { rows: drawApprovalBox(shown, 1, look), title: `bash in ${request.cwd}` }
  },
  'a choice': (look) => {
    const layout = { rows: [], height: 1 }
    const answers = [{ key: 'y', label: 'open it' }]
    return { rows: drawChoice(openChoiceDialog(longTitle, layout, answers), look), title: longTitle }
  },
  'an entry': (look) => ({
    rows: drawEntry({ title: longTitle, lines: [], text: '', isSecret: true }, look),
    title: longTitle,
  }),
  'a question': (look) => {
    const from = 'the server of the cart and of its payments'
    const form = openQuestionDialog({ call: 'c', questionnaire: { ...questionnaire, from } })
    return { rows: drawQuestionForm(form, 20, look), title: `${from} asks` }
  },
}

test.each(Object.entries(titled))('the title of %s is whole, in a box that fits the screen', (_, draw) => {
  for (let width = 30; width <= 80; width++) {
    const { rows, title } = draw(lookOf(width))
    const edge = letters(
      rows
        .slice(0, 3)
        .join(' ')
        .replace(/lines [\d-]+ of \d+/, ''),
    )
    expect(edge, `${width} cells`).toContain(letters(title))
    expect(rows.length).toBeLessThan(24)
  }
})

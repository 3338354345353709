// The form of a questionnaire as lines.

import { expect, test } from 'vitest'
import { showDialog } from '../../../../internal/tui/dialog/dialog-focus.ts'
import { openQuestionDialog, pressQuestionKey } from '../../../../internal/tui/dialog/question-dialog.ts'
import { drawQuestionForm } from '../../../../internal/tui/view/question-form.ts'
import { golden } from '../../../support/golden.ts'
import { lookOf } from '../../../support/session-view.ts'

const questionnaire = {
  from: 'the model',
  questions: [
    {
      ...{ id: 'q1', topic: 'Driver', question: 'Which driver should it use?', reason: 'Both are there.' },
      ...{ required: true, allowFreeform: true },
      options: [
        { id: 'pg', label: 'PostgreSQL', description: 'as in production' },
        { id: 'lite', label: 'SQLite' },
      ],
    },
    { id: 'q2', question: 'Anything else?', required: false, allowFreeform: true, options: [] },
  ],
}
const open = (over = {}) =>
  showDialog(openQuestionDialog({ call: 'c', questionnaire: { ...questionnaire, ...over } }), 0)
const press = (names: readonly string[], from = open()) =>
  names.reduce(
    (state, key) => pressQuestionKey(state, { key, text: key.length === 1 ? key : '' }, 999).state,
    from,
  )

test.each([40, 80, 120])('at %i cells', (width) => {
  const forms = [open(), press(['2', 'tab', 'n', 'o'])].map((state) =>
    drawQuestionForm(state, 20, lookOf(width)),
  )
  golden(`session/question-${width}.txt`, `${forms.map((lines) => lines.join('\n')).join('\n')}\n`)
})

test('a question of many lines scrolls and keeps its keys', () => {
  const question = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n')
  const [first] = questionnaire.questions
  const state = open({ questions: [{ ...first, question }] })
  const lines = drawQuestionForm(state, 15, lookOf())
  expect(lines.length).toBeLessThanOrEqual(15)
  expect(lines.join('\n')).toContain('PgDn PgUp scroll')
  const scrolled = drawQuestionForm(press(Array(40).fill('pagedown'), state), 15, lookOf()).join('\n')
  expect(scrolled).toContain('2 SQLite')
})

// The form of a questionnaire: numbers and text answer, and Enter sends only a complete form.

import { describe, expect, test } from 'vitest'
import { showDialog } from '../../../../internal/tui/dialog/dialog-focus.ts'
import {
  dismissKey,
  enterLabel,
  openQuestionDialog,
  pressQuestionKey,
  type QuestionDialog,
} from '../../../../internal/tui/dialog/question-dialog.ts'
import type { KeyPress } from '../../../../internal/tui/input/key-press.ts'
import { choice, rng } from '../../../support/rng.ts'

const questionnaire = {
  from: 'the model',
  questions: [
    {
      ...{ id: 'q1', question: 'Which driver?', required: true, allowFreeform: false },
      options: [
        { id: 'pg', label: 'PostgreSQL' },
        { id: 'lite', label: 'SQLite' },
      ],
    },
    { id: 'q2', question: 'What else?', required: false, allowFreeform: true, options: [] },
  ],
}
const open = () => showDialog(openQuestionDialog({ call: 'c1', questionnaire }), 0)
const key = (name: string): KeyPress => ({ key: name, text: name.length === 1 ? name : '' })
const press = (names: readonly string[], from: QuestionDialog = open()) => {
  let outcome: ReturnType<typeof pressQuestionKey> = { state: from }
  for (const name of names) outcome = pressQuestionKey(outcome.state, key(name), 1_000)
  return outcome
}

describe('an answer', () => {
  test('is an option by number', () => {
    expect(press(['2', 'enter', 'enter', 'enter']).effect).toEqual({
      kind: 'answer',
      answer: { status: 'answered', answers: [{ id: 'q1', option: 'lite' }] },
    })
  })

  test('is an option by number too if the keys arrive together, but not where a text is allowed', () => {
    const burst = { ...key('2'), burst: true }
    expect(pressQuestionKey(open(), burst, 1_000).state.answers.get('q1')).toEqual({ option: 'lite' })
    const [first, second] = questionnaire.questions
    const both = { ...first, allowFreeform: true } as (typeof questionnaire.questions)[0]
    const form = { from: 'the model', questions: second ? [both, second] : [both] }
    const shown = showDialog(openQuestionDialog({ call: 'c1', questionnaire: form }), 0)
    expect(pressQuestionKey(shown, burst, 1_000).state).toMatchObject({ words: '2', answers: new Map() })
  })

  test('is free text where that is allowed', () => {
    expect(press(['1', 'tab', 'o', 'k', 'enter', 'enter']).effect).toEqual({
      kind: 'answer',
      answer: {
        status: 'answered',
        answers: [
          { id: 'q1', option: 'pg' },
          { id: 'q2', text: 'ok' },
        ],
      },
    })
    expect(press(['t']).state.words).toBeUndefined()
  })

  test('gives letters that fit no option to the editor, with all typed before', () => {
    for (const [keys, typed] of [
      ['t', ''],
      ['psx', 'ps'],
      ['por', 'po'],
      ['7', ''],
      ['po ', 'po'],
      ['ssss9', 'ssss'],
    ] as const) {
      const { state, effect } = press([...keys])
      expect(effect, keys).toEqual({ kind: 'later', passed: true, typed })
      expect(state.answers.size, keys).toBe(0)
    }
    expect(press(['2', 't']).state.answers.get('q1')).toEqual({ option: 'lite' })
  })

  test('is missing at first: Enter alone sends nothing and goes to the required question', () => {
    const { state, effect } = press(['tab', 'a', 'enter', 'enter'])
    expect(effect).toBeUndefined()
    expect([state.at, state.note]).toEqual([0, 'this one needs an answer'])
    expect(press(Array(9).fill('enter')).effect).toBeUndefined()
  })

  test('a text-only question accepts text at once, and Tab keeps the text', () => {
    const { state } = press(['1', 'enter', 'x', 'y', 'tab'])
    expect([state.at, state.words, state.answers.get('q2')?.text]).toEqual([0, undefined, 'xy'])
    expect(enterLabel(press(['1']).state)).toBe('Enter next')
    expect(enterLabel(state)).toBe('Enter sends')
  })

  test('is removed when its text is deleted', () => {
    expect(press(['1', 'tab', 'a', 'enter', 'backspace', 'enter']).state.answers.size).toBe(1)
  })

  test.each([
    [['down'], 'pg'],
    [['down', 'down'], 'lite'],
    [['down', 'down', 'down'], 'lite'],
    [['up'], 'lite'],
    [['up', 'up', 'up'], 'pg'],
    [['s'], 'lite'],
    [['P', 'o', 's'], 'pg'],
    [['p', 's'], 'lite'],
    [['1', 'backspace', 'down'], 'pg'],
  ])('is picked by %j: %s', (keys, option) => {
    expect(press(keys).state.answers.get('q1')).toEqual({ option })
    expect(press([...keys, 'enter', 'enter', 'enter']).effect).toMatchObject({
      answer: { answers: [{ id: 'q1', option }] },
    })
  })

  const mixed = {
    from: 'the model',
    questions: [
      { ...questionnaire.questions[0], id: 'q', question: 'Which?', required: true, allowFreeform: true },
    ],
  } as typeof questionnaire
  const alone = () => showDialog(openQuestionDialog({ call: 'c1', questionnaire: mixed }), 0)

  test('is typed directly where text is allowed, and one Enter sends it', () => {
    expect(press([...'xyz', 'enter'], alone()).effect).toEqual({
      kind: 'answer',
      answer: { status: 'answered', answers: [{ id: 'q', text: 'xyz' }] },
    })
    expect(press(['down', 'down', 'down', 'o', 'k', 'enter'], alone()).effect).toMatchObject({
      answer: { answers: [{ text: 'ok' }] },
    })
  })

  test('typed text stays while an option is picked, and comes back', () => {
    const { state } = press([...'my own', 'up'], alone())
    expect([state.words, state.answers.get('q')]).toEqual([undefined, { option: 'lite' }])
    expect(press(['down'], state).state.words).toBe('my own')
  })

  test('pasted text is an answer where text is allowed', () => {
    const paste = { key: '', text: 'some words', burst: true }
    expect(pressQuestionKey(alone(), paste, 1_000).state.words).toBe('some words')
    const { effect, state } = pressQuestionKey(open(), paste, 1_000)
    expect([effect, state.answers.size]).toEqual([{ kind: 'later', passed: true, typed: '' }, 0])
  })
})

test.each([
  [true, ['A', 'B'], 'ctrl-x'],
  [false, ['A', 'B'], 'x'],
  [false, ['A', 'xml'], 'ctrl-x'],
])('the dismissing key cannot begin an answer: text %s, options %j', (allowFreeform, labels, key) => {
  const options = labels.map((label, i) => ({ id: `o${i}`, label }))
  const questions = [{ id: 'q', question: 'Which?', required: true, allowFreeform, options }]
  const state = showDialog(openQuestionDialog({ call: 'c', questionnaire: { from: 'm', questions } }), 0)
  expect(dismissKey(state)).toBe(key)
  const dismissed = { kind: 'answer', answer: { status: 'dismissed' } }
  expect(press([key], state).effect).toEqual(dismissed)
  if (key !== 'x') expect(press(['x'], state).effect).toBeUndefined()
})

test('Esc leaves it waiting with its text, x dismisses, and keys of the first 300 ms go to the editor', () => {
  expect(press(['escape']).effect).toEqual({ kind: 'later', passed: false })
  const { state, effect } = press(['1', 'tab', 'o', 'k', 'escape'])
  expect([effect, state.words]).toEqual([{ kind: 'later', passed: false }, 'ok'])
  expect(press(['x']).effect).toEqual({ kind: 'answer', answer: { status: 'dismissed' } })
  expect(pressQuestionKey(open(), key('x'), 299).effect).toEqual({ kind: 'later', passed: true })
})

test('50 seeds of 300 keys: a sent form has every required answer, each an option or a text', () => {
  const names = '1 2 3 t a s enter enter escape down up tab left backspace pagedown'.split(' ')
  let sent = 0
  for (let seed = 1; seed <= 50; seed++) {
    const random = rng(seed)
    let state = open()
    for (let step = 0; step < 300; step++) {
      const outcome = pressQuestionKey(state, key(choice(random, names)), 1_000)
      state = outcome.state
      if (outcome.effect?.kind !== 'answer' || outcome.effect.answer.status !== 'answered') continue
      sent++
      const { answers } = outcome.effect.answer
      expect(answers[0]?.id).toBe('q1')
      expect(['pg', 'lite']).toContain(answers[0]?.option)
      for (const { option, text } of answers) expect((option ?? text)?.length).toBeGreaterThan(0)
    }
  }
  expect(sent).toBeGreaterThan(50)
})

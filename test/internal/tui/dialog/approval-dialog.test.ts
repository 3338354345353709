// The keys of an approval: only a key with that answer allows a call, after the end of the call was shown.
import { describe, expect, test } from 'vitest'
import type { PendingPermission } from '../../../../internal/session/snapshot.ts'
import {
  type ApprovalDialog,
  type ApprovalEffect,
  describeAnswers,
  openAnswers,
  openApprovalDialog,
  openToggles,
  pressApprovalKey,
  resizeApprovalDialog,
  updateApprovalDialog,
} from '../../../../internal/tui/dialog/approval-dialog.ts'
import { showDialog } from '../../../../internal/tui/dialog/dialog-focus.ts'
import type { KeyPress } from '../../../../internal/tui/input/key-press.ts'
import { isRead } from '../../../../internal/tui/terminal/pager.ts'
import { choice, rng } from '../../../support/rng.ts'

const asked: PendingPermission = {
  ...{ call: 'c1', tool: 'bash', args: { command: 'make' }, reasons: [] },
  always: { rule: { tool: 'bash', action: 'allow', command: 'make' } },
}
const withoutOffer: PendingPermission = { call: 'c1', tool: 'bash', args: {}, reasons: [] }
const several: PendingPermission = {
  ...asked,
  parts: ['make', 'ls'].map((name) => ({ name, action: 'ask' as const, why: '' })),
  always: ['make', 'ls'].map((command) => ({ rule: { tool: 'bash', action: 'allow', command } })),
}
const layout = (rows: number, height = rows) => ({
  rows: Array.from({ length: rows }, (_, line) => ({ text: `${line}`, line })),
  height,
})
const key = (name: string, over: Partial<KeyPress> = {}): KeyPress => ({
  ...{ key: name, text: name.length === 1 ? name : '' },
  ...over,
})
const later = 1_000
const press = (state: ApprovalDialog, ...keys: KeyPress[]) => {
  let effect: ApprovalEffect | undefined
  let now = state
  for (const one of keys) {
    const outcome = pressApprovalKey(now, one, later)
    now = outcome.state
    effect = outcome.effect
  }
  return { state: now, effect }
}
const open = (request = asked, rows = 3, height = rows) =>
  showDialog(openApprovalDialog(request, layout(rows, height)), 0)

describe('answers', () => {
  test.each([
    ['y', { allow: true, scope: 'once', rules: [] }],
    ['s', { allow: true, scope: 'session', rules: [0] }],
    ['a', { allow: true, scope: 'workspace', rules: [0] }],
    ['n', { allow: false }],
    ['D', { allow: false, stop: true }],
  ])('%s', (name, answer) => {
    expect(press(open(), key(name)).effect).toEqual({ kind: 'answer', answer })
  })

  test('are listed after an unknown key, and after Enter at the end', () => {
    const meansNothing = (name: string, over = {}, state = open()) =>
      pressApprovalKey(state, key(name, over), later).isUnknown === true
    expect(['enter', 'Y', 'tab'].map((name) => meansNothing(name))).toEqual([true, true, true])
    expect(['y', 'n', 'v', 'down', 'space'].map((name) => meansNothing(name))).not.toContain(true)
    expect(meansNothing('q', { burst: true })).toBe(false)
    expect(describeAnswers(open())).toBe('y allows, n denies')
    expect(describeAnswers(open(asked, 9, 3))).toBe('Space shows the rest, n denies')
    expect(meansNothing('enter', {}, open(asked, 9, 3))).toBe(false)
  })

  test.each([
    ['no list', withoutOffer],
    ['an empty list', { ...withoutOffer, always: [] }],
  ])('that store a rule are missing if no rule is offered: %s', (_, request) => {
    expect(openAnswers(open(request)).map((answer) => answer.key)).toEqual(['y', 'n', 'd', 'D'])
    expect(press(open(request), key('a')).effect).toBeUndefined()
    expect(press(open(request), key('s')).effect).toBeUndefined()
  })

  test('with text: Enter sends them, and Esc goes back', () => {
    const typed = [key('d'), key('', { text: 'use ' }), key('y'), key('x'), key('backspace')]
    expect(press(open(), ...typed, key('enter')).effect).toEqual({
      kind: 'answer',
      answer: { allow: false, words: 'use y' },
    })
    const back = press(open(), ...typed, key('escape'))
    expect(back.effect).toBeUndefined()
    expect(back.state.words).toBeUndefined()
    expect(press(open(), key('d'), key('enter')).effect).toEqual({ kind: 'answer', answer: { allow: false } })
  })

  test.each(['y', 's', 'a', 'e', 'n', 'd', 'D'])('a pasted %s goes to the editor', (name) => {
    const effect = { kind: 'later', passed: true }
    expect(press(open(), key(name, { burst: true })).effect).toEqual(effect)
  })

  test('a pasted Esc has no effect', () => {
    expect(press(open(), key('escape', { burst: true })).effect).toBeUndefined()
  })

  test('every letter is a key of the dialog, a hint, or text for the editor', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäß?é']
    for (const state of [open(), open(several), open(asked, 9, 3), open({ ...asked, edits: true })])
      for (const letter of letters) {
        const { effect } = press(state, key(letter))
        const isOurs = 'ysaendovb'.includes(letter.toLowerCase())
        expect([letter, effect?.kind === 'later']).toEqual([letter, !isOurs])
      }
  })

  test('e allows once and changes the mode, if mode edits would allow the call', () => {
    const effect = { kind: 'answer', answer: { allow: true, scope: 'once', rules: [] }, mode: 'edits' }
    expect(press(open({ ...asked, edits: true }), key('e')).effect).toEqual(effect)
    expect(press(open(), key('e')).effect).toBeUndefined()
    expect(press(open({ ...asked, edits: true }, 9, 3), key('e')).effect).toBeUndefined()
  })
})

describe('a compound command of three parts with two rules', () => {
  const part = (name: string) => ({ name, action: 'ask' as const, why: 'no rule allows it' })
  const rule = (command: string) => ({ rule: { tool: 'bash', action: 'allow', command } })
  const line: PendingPermission = {
    ...{ ...asked, parts: ['make', 'git push', 'ls'].map(part), always: [rule('make'), rule('git push')] },
  }

  test('o cycles through the rules that can be stored, and never beyond the offered rules', () => {
    const rulesAfter = (presses: number) =>
      press(open(line), ...Array.from({ length: presses }, () => key('o')), key('a')).effect
    const kept = [0, 1, 2, 3].map(rulesAfter)
    expect(kept).toEqual(
      [[0, 1], [0], [1], [0, 1]].map((rules) => ({
        kind: 'answer',
        answer: { allow: true, scope: 'workspace', rules },
      })),
    )
    const alone = open(asked)
    expect(press(alone, key('o')).state).toBe(alone)
    expect(openToggles(press(open(line), key('o'), key('o')).state)[0]?.label).toBe('now rule 2 only')
  })

  test('a number denies one part, and no key allows until the number is pressed again', () => {
    const { state } = press(open(line), key('3'), key('2'))
    expect(openAnswers(state).map((answer) => answer.label)).toEqual([
      ...['deny parts 2, 3', 'deny with message', 'deny and stop'],
    ])
    for (const name of ['y', 's', 'a', 'o']) expect(press(state, key(name)).effect).toBeUndefined()
    const deny = (...keys: KeyPress[]) => press(state, ...keys).effect
    const parts = [1, 2]
    expect(deny(key('n'))).toEqual({ kind: 'answer', answer: { allow: false, parts } })
    expect(deny(key('D'))).toEqual({ kind: 'answer', answer: { allow: false, parts, stop: true } })
    expect(deny(key('d'), key('x'), key('enter'))).toEqual({
      kind: 'answer',
      answer: { allow: false, parts, words: 'x' },
    })
    expect(deny(key('2'), key('3'), key('y'))).toMatchObject({ answer: { allow: true, scope: 'once' } })
  })

  test('a missing part, and a pasted number, change nothing', () => {
    const [several, alone] = [open(line), open(asked)]
    expect(press(several, key('4'), key('2', { burst: true })).state).toBe(several)
    expect(press(alone, key('1')).state).toBe(alone)
  })
})

test('Esc leaves it waiting, and v shows the full call', () => {
  expect(press(open(), key('escape')).effect).toEqual({ kind: 'later', passed: false })
  expect(press(open(), key('v')).effect).toEqual({ kind: 'page' })
})

test('keys of the first 300 ms go to the editor', () => {
  for (const name of ['y', 'a', 'enter', 'n', 'escape']) {
    expect(pressApprovalKey(open(), key(name), 299).effect).toEqual({ kind: 'later', passed: true })
  }
  expect(pressApprovalKey(open(), key('y'), 300).effect?.kind).toBe('answer')
})

test('a request that changed while it was open has to be read again', () => {
  const read = open(asked, 5)
  const changed = { ...asked, preview: { files: [], shows: [] } }
  const state = updateApprovalDialog(read, changed, layout(50, 10))
  expect(isRead(state.pager)).toBe(false)
  expect(pressApprovalKey(state, key('y'), 9_000).effect).toEqual({ kind: 'later', passed: true })
  const shown = showDialog(state, 5_000)
  expect(pressApprovalKey(shown, key('y'), 5_100).effect).toEqual({ kind: 'later', passed: true })
  expect(press(showDialog(state, 0), key('y')).effect).toBeUndefined()
  expect(updateApprovalDialog(read, asked, layout(50, 10))).toBe(read)
})

test('a resize does not count as reading the rows', () => {
  const state = resizeApprovalDialog(open(asked, 50, 10), layout(100, 10))
  expect(isRead(state.pager)).toBe(false)
})

const names = 'y s a n d D v b o 1 2 enter space up down home end pageup pagedown escape tab x ctrl-c'.split(
  ' ',
)

test('50 seeds of 400 keys: only the allowing key allows, after the last row', () => {
  let allowed = 0
  for (let seed = 1; seed <= 50; seed++) {
    const random = rng(seed)
    const rows = 1 + Math.floor(random() * 40)
    const request = choice(random, [asked, withoutOffer, several])
    let now = 0
    let state = showDialog(openApprovalDialog(request, layout(rows, 1 + Math.floor(random() * 12))), now)
    let seen = state.pager.height
    for (let step = 0; step < 400; step++) {
      now += Math.floor(random() * 200)
      const pressed = key(choice(random, names), { burst: random() < 0.2 })
      const before = state
      const outcome = pressApprovalKey(state, pressed, now)
      state = outcome.state
      seen = Math.max(seen, state.pager.top + state.pager.height)
      if (outcome.effect?.kind !== 'answer' || !outcome.effect.answer.allow) continue
      allowed++
      const { scope, rules } = outcome.effect.answer
      expect({ y: 'once', s: 'session', a: 'workspace' }[pressed.key]).toBe(scope)
      const offered = [request.always ?? []].flat().length
      expect(rules.length > 0).toBe(scope !== 'once')
      expect(rules.every((at) => at < offered)).toBe(true)
      expect(before.denied).toEqual([])
      expect(scope === 'once' || request.always !== undefined).toBe(true)
      expect(before.words).toBeUndefined()
      expect(pressed.burst).toBe(false)
      expect(seen).toBeGreaterThanOrEqual(rows)
      expect(now - before.shownAt).toBeGreaterThanOrEqual(300)
    }
  }
  expect(allowed).toBeGreaterThan(50)
})

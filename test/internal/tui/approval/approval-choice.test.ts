// The keys of an approval: no sequence of keys allows a call whose end was not shown.
import { expect, it } from 'vitest'
import { applyKey, openChoice } from '../../../../internal/tui/approval/approval-choice.ts'
import { isRead, openPager } from '../../../../internal/tui/terminal/pager.ts'
import { choice, rng } from '../../../support/rng.ts'

const names = [
  'y',
  'a',
  '1',
  '2',
  'return',
  'space',
  'up',
  'down',
  'end',
  'home',
  'b',
  'pagedown',
  'x',
  'tab',
]
const rows = (count: number) => Array.from({ length: count }, (_, line) => ({ text: '', line }))
const key = (name: string, over = {}) => ({ name, ctrl: false, burst: false, ...over })

it('2,000 random walks: allows only after the last row, never from a burst, never an answer that is not offered', () => {
  const random = rng(20260807)
  let allowed = 0
  for (let walk = 0; walk < 2000; walk++) {
    const hasOffer = random() < 0.5
    let state = openChoice(openPager(rows(1 + Math.floor(random() * 50)), 1 + Math.floor(random() * 20)), [
      'explain',
      ...(hasOffer ? ['always' as const] : []),
    ])
    for (let step = 0; step < 30; step++) {
      const burst = random() < 0.2
      const outcome = applyKey(state, key(choice(random, names), { burst }))
      if ('state' in outcome) {
        state = outcome.state
        continue
      }
      if ('answer' in outcome && (outcome.answer === 'once' || outcome.answer === 'always')) {
        allowed++
        expect([isRead(state.pager), burst, hasOffer || outcome.answer === 'once']).toEqual([
          true,
          false,
          true,
        ])
      }
      break
    }
  }
  expect(allowed).toBeGreaterThan(200)
})

it('begins on Deny, and Enter accepts the selection', () => {
  const state = openChoice(openPager(rows(3), 10), ['always', 'explain'])
  expect(applyKey(state, key('return'))).toEqual({ answer: 'deny' })
  expect(applyKey(state, key('c', { ctrl: true }))).toEqual({ stop: true })
  expect(applyKey(state, key('escape'))).toEqual({ answer: 'deny' })
  expect(applyKey(openChoice(state.pager, ['explain']), key('a'))).toHaveProperty('state')
  expect(applyKey(openChoice(state.pager, ['explain']), key('3'))).toEqual({ answer: 'deny' })
})

it('part by part is a separate answer, which is available only when all was shown', () => {
  const short = openChoice(openPager(rows(3), 10), ['parts'])
  expect(applyKey(short, key('p'))).toEqual({ answer: 'parts' })
  expect(applyKey(short, key('5'))).toEqual({ answer: 'parts' })
  expect(applyKey(short, key('d'))).toHaveProperty('state')
  expect(applyKey(openChoice(openPager(rows(30), 10), ['parts']), key('p'))).toHaveProperty('state')
  expect(applyKey(openChoice(openPager(rows(3), 10), ['explain']), key('p'))).toHaveProperty('state')
})

// The status line: the parts that a narrow terminal drops, and those that always stay.
import { expect, test } from 'vitest'
import { emptyView } from '../../../../internal/session/view/session-view.ts'
import { drawStatusLine, drawTitleLine } from '../../../../internal/tui/view/status-line.ts'
import { cartDrafts, foldDrafts, lookOf, startedAt } from '../../../support/session-view.ts'

const view = { ...foldDrafts(cartDrafts), context: { tokens: 36_000, window: 200_000 } }

test('tells what holds, and which keys work where there is room', () => {
  expect(drawStatusLine(view, 'Tab answers it', lookOf(100))).toBe(
    ' craft  openai/gpt-5.4  auto  ctx 18%  $0.07  36.0k/2.1k  1 waits                     Tab answers it',
  )
})

test.each([100, 70, 50, 30, 24])('at %i cells mode, context and what waits stay', (width) => {
  const line = drawStatusLine(view, 'Tab answers it', lookOf(width))
  expect(line.length).toBeLessThanOrEqual(width)
  for (const fact of ['auto', 'ctx 18%', '1 waits']) expect(line).toContain(fact)
})

test('at 20 columns they take less room, and the mode is cut before the others are lost', () => {
  const narrow = (change: object) => drawStatusLine({ ...view, ...change }, 'Esc later', lookOf(19)).trim()
  expect(narrow({})).toBe('auto  18%  1 waits')
  const full = { context: { tokens: 200_000, window: 200_000 } }
  expect(narrow(full)).toBe('auto  100%  1?')
  expect(narrow({ ...full, mode: 'unrestricted' })).toBe('unrestr…  100%  1?')
})

test('loses tokens first, then cost, and the model before the profile stays', () => {
  expect(drawStatusLine(view, '', lookOf(58)).trim()).toBe(
    'craft  openai/gpt-5.4  auto  ctx 18%  $0.07  1 waits',
  )
  expect(drawStatusLine(view, '', lookOf(45)).trim()).toBe('openai/gpt-5.4  auto  ctx 18%  1 waits')
})

test.each([
  [70, 'craft  openrouter/anthropic/claude-sonnet-5:thinking  auto  ctx 18%'],
  [60, 'craft  auto  ctx 18%  $0.07  36.0k/2.1k          Esc stops'],
  [44, 'craft  auto  ctx 18%  $0.07    Esc stops'],
  [36, 'craft  auto  ctx 18%    Esc stops'],
  [28, 'auto  ctx 18%      Esc stops'],
])('at %i cells a model that has no room takes nothing with it', (width, line) => {
  const model = { ...view.model, id: 'openrouter/anthropic/claude-sonnet-5:thinking' }
  const shown = drawStatusLine({ ...view, model, waits: [], questions: [] }, 'Esc stops', lookOf(width))
  expect(shown.trim().replace(/ {2,}Esc/, ' Esc')).toBe(line.replace(/ {2,}Esc/, ' Esc'))
})

test('the title line holds thread and time, and gives up the title where it is narrow', () => {
  const now = startedAt + 161_000
  expect(drawTitleLine(view, now, lookOf(80))).toBe(
    ` Round half up in the cart total${' '.repeat(28)}01JD3K8QAA  2:41 min`.padEnd(80),
  )
  expect(drawTitleLine(view, now, lookOf(24)).trim()).toBe('01JD3K8QAA  2:41 min')
})

test('claims no mode before the session is open', () => {
  const unopened = emptyView('sess_1')
  expect(drawStatusLine(unopened, '? help', lookOf(40))).toBe('? help'.padStart(40))
})

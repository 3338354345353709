// Card: title in the border, padding at the sides, background only on request.
import { expect, test } from 'vitest'
import { lines } from '../draw.ts'

const card = (props: object) => ({
  c: { type: 'Card', props, children: ['t'] },
  t: { type: 'Text', props: { text: 'hi' } },
})

const cases: [object, number, string[]][] = [
  [{}, 20, [`╭${'─'.repeat(18)}╮`, `│ hi${' '.repeat(15)}│`, `╰${'─'.repeat(18)}╯`]],
  [{ title: 'Health' }, 20, ['╭─ Health ─────────╮', '│ hi               │', '╰──────────────────╯']],
  [
    { title: 'A title that is too long', padding: 0 },
    20,
    ['╭─ A title that … ─╮', '│hi                │', '╰──────────────────╯'],
  ],
  [
    { title: '漢字', padding: 3 },
    20,
    ['╭─ 漢字 ───────────╮', '│   hi             │', '╰──────────────────╯'],
  ],
]

test.each(cases)('draws a card with %j at width %i', (props, width, expected) => {
  expect(lines(card(props), { width })[1]).toBe(expected[1])
  expect(lines(card(props), { width })[2]).toBe(expected[2])
  expect(lines(card(props), { width })[0]).toHaveLength((expected[0] as string).length)
})

test('draws the example of the manual', () => {
  const spec = {
    c: { type: 'Card', props: { title: 'Health' }, children: ['s'] },
    s: { type: 'StatusLine', props: { text: 'API', status: 'success' }, children: [] },
  }
  expect(lines(spec, { width: 24, unicode: false })).toEqual([
    '+- Health -------------+',
    '| [ok] API             |',
    '+----------------------+',
  ])
})

test('has a background only if it is requested', () => {
  expect(lines(card({}), { width: 20, color: 1 }).join('')).not.toContain('\x1b[4')
  const painted = lines(card({ backgroundColor: 'blue' }), { width: 20, color: 1 })
  for (const line of painted) expect(line).toMatch(/^\x1b\[44m.*\x1b\[49m$/)
})

test('plain output has the title, then the children', () => {
  expect(lines(card({ title: 'T' }), { plain: true })).toEqual(['T', 'hi'])
})

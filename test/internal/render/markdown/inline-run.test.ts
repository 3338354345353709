// Neighboring runs that look alike become one.
import { expect, it } from 'vitest'
import { type InlineRun, isSameLook, joinRuns } from '../../../../internal/render/markdown/inline-run.ts'

const link = { href: 'https://a.example', isImage: false }
const looks: readonly Omit<InlineRun, 'text'>[] = [
  ...[{}, { isBold: true }, { isItalic: true }, { isStruck: true }, { isCode: true }],
  ...[{ link }, { link: { ...link } }, { isBold: true, isCode: true }],
]

it('two runs have the same look only if all their styles are equal', () => {
  for (const [i, a] of looks.entries())
    for (const [j, b] of looks.entries())
      expect(isSameLook({ text: 'a', ...a }, { text: 'b', ...b }), `${i} ${j}`).toBe(i === j)
  expect(isSameLook({ text: 'a', isBold: false }, { text: 'b' })).toBe(true)
})

it('joins neighbors and leaves out empty runs', () => {
  const runs = [{ text: 'a' }, { text: '', isBold: true }, { text: 'b' }, { text: 'c', isBold: true }]
  expect(joinRuns(runs)).toEqual([{ text: 'ab' }, { text: 'c', isBold: true }])
})

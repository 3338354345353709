// Where a hunk goes: exact before lenient, the number only between equals.
import { expect, it } from 'vitest'
import { findSpot, oldLines, toLines } from '../../../internal/patch/hunk-placement.ts'
import type { Hunk } from '../../../internal/patch/patch.ts'

/** Returns a hunk from one line of text: parts of operation and text, separated by `|`. */
function hunkOf(text: string, rest: Partial<Hunk> = {}): Hunk {
  const lines = text.split('|').map((part) => ({ op: part[0] as ' ', text: `${part.slice(1)}\n` }))
  return { number: 1, header: '@@', anchors: [], atEnd: false, lines, ...rest }
}

const file = 'a\nb\na\nb\nc\n'

it.each<[string, string, Hunk, number | undefined, unknown]>([
  ['the only place', file, hunkOf('-b| c'), undefined, { at: 3, fuzz: 0, leniency: 'exact' }],
  ['the number between two', file, hunkOf('-a| b'), 2, { at: 2 }],
  ['the nearer of two', file, hunkOf('-a| b'), 7, { at: 2 }],
  ['the later of two equally near', file, hunkOf('-a| b'), 1, { at: 2 }],
  ['the end for a hunk that ends there', 'x\na\nx\na\n', hunkOf(' x|-a'), 5, { at: 2 }],
  ['ambiguous without a number', file, hunkOf('-a| b'), undefined, { ambiguous: [0, 2] }],
  ['missing', file, hunkOf('-z'), 0, { missing: 'lines' }],
  ['trailing white space', 'a \nb\n', hunkOf(' a|-b'), 0, { at: 0, leniency: 'trailing_whitespace' }],
  ['CRLF', 'a\r\nb\r\n', hunkOf(' a|-b'), 0, { at: 0, leniency: 'line_ends' }],
  ['quotes', 'say “a”\nb\n', hunkOf(' say "a"|-b'), 0, { at: 0, leniency: 'typography' }],
  [
    'one line of context given up',
    'other\nkeep this\nb\n',
    hunkOf(' a| keep this|-b'),
    0,
    { at: 1, fuzz: 1 },
  ],
  ['two at each end', '1\n2\nb is long\n3\n4\n', hunkOf(' x| y|-b is long| v| w'), 0, { at: 2, fuzz: 2 }],
  ['never more', '1\n2\n3\nb is long\n', hunkOf(' x| y| z|-b is long'), 0, { missing: 'lines' }],
  ['never down to nothing but a brace', 'x\n}\n', hunkOf(' a| }|+b'), 0, { missing: 'lines' }],
  ['an insertion by its number', file, hunkOf('+x'), 2, { at: 2 }],
  ['an insertion past the end', file, hunkOf('+x'), 99, { at: 5 }],
  ['an insertion at the end', file, hunkOf('+x', { atEnd: true }), undefined, { at: 5 }],
  ['an insertion behind an anchor', file, hunkOf('+x', { anchors: ['b'] }), undefined, { at: 2 }],
  [
    'the first behind an anchor',
    'f:\n x\ng:\n x\n',
    hunkOf('- x', { anchors: ['g:'] }),
    undefined,
    { at: 3 },
  ],
  ['a missing anchor', file, hunkOf('-a', { anchors: ['zz'] }), undefined, { missing: 'anchor' }],
])('%s', (_, text, hunk, expected, result) => {
  const found = findSpot(toLines(text), hunk, expected, 0)
  expect('spot' in found ? found.spot : found).toMatchObject(result as object)
})

it('never places a hunk on lines that an earlier hunk has written', () => {
  const lines = toLines('a\na\n')
  lines.fixed[0] = true
  expect(findSpot(lines, hunkOf('-a'), 0, 1)).toMatchObject({ spot: { at: 1 } })
})

it('the old lines of a hunk are its context and its removals', () => {
  expect(oldLines(hunkOf(' a|-b|+c').lines)).toHaveLength(2)
})

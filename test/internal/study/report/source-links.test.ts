// Links to places, as the host of a repository or a reader on this machine takes them.
import { expect, test } from 'vitest'
import { linkToPlace } from '../../../../internal/study/report/source-links.ts'

const facts = (canonical: string, more: object = {}) => ({
  canonical,
  kind: 'code',
  weight: 'primary' as const,
  ...more,
})
const hub = 'https://github.com/a/b/blob/c0ffee'
const lab = 'https://gitlab.com/a/b/-/blob/c0ffee'

test.each([
  [facts('a.ts', { link: `${hub}/a.ts` }), '12-14', `${hub}/a.ts#L12-L14`],
  [facts('a.ts', { link: `${hub}/a.ts` }), '12', `${hub}/a.ts#L12`],
  [facts('a.md', { link: `${hub}/a.md` }), '3-5,9', `${hub}/a.md?plain=1#L3-L5`],
  [facts('a.ts', { link: `${lab}/a.ts` }), '12-14', `${lab}/a.ts#L12-14`],
  [facts('a.pdf', { link: `${hub}/a.pdf` }), 'page 3, line 2', `${hub}/a.pdf`],
  [facts('a.pdf', { bytes: 1 }), 'page 3, line 2', 'file:///work/x%20y/a.pdf#page=3'],
  [facts('a.pdf', { bytes: 1 }), 'pages 3-4', 'file:///work/x%20y/a.pdf#page=3'],
  [facts('a#b.ts', { bytes: 1 }), '7', 'file:///work/x%20y/a%23b.ts#L7'],
  [facts('gone.ts'), '7', undefined],
  [facts('https://example.org/a'), '', 'https://example.org/a'],
  [undefined, '7', undefined],
])('%j at %s', (known, locator, link) => expect(linkToPlace(known, '/work/x y', locator)).toBe(link))

// The three searches of the finder: lines, results and notes.
import { expect, test } from 'vitest'
import { findFiles, findSymbols, findText, findWords } from '../../../internal/search/finder.ts'
import { means, plant } from '../../support/search.ts'

const dir = plant({
  'sub/alpha.ts': 'export function alpha() {}\n// beta gamma\n',
  'sub/beta.md': 'alpha and gamma\n',
  'sub/\x1b[2J.ts': 'alpha\n',
})
const tree = { dir: `${dir}/sub`, top: dir, hidden: false, guarded: true, prefix: 'sub/' }
const search = (query: string, limit = 50) => ({ tree, query, limit, caseSensitive: false, means: means() })

test('findFiles returns the matching files', async () => {
  expect(await findFiles(search('alp'))).toMatchObject({
    results: [{ path: 'sub/alpha.ts' }],
    total: 1,
    notes: [],
  })
  const all = await findFiles(search('', 2))
  expect(all.lines).toEqual(['sub/\\x1b[2J.ts', 'sub/alpha.ts'])
  expect(all.notes[0]).toBe('2 of 3 files, in order; raise limit or narrow the query')
})

test('findText finds lines with the whole query, else lines with its words', async () => {
  const whole = await findText(search('beta gamma'))
  expect(whole).toMatchObject({ lines: ['sub/alpha.ts:2:// beta gamma'], total: 1 })
  expect(whole.words).toBeUndefined()
  const words = await findText(search('gamma beta'))
  expect(words.words).toEqual(['gamma', 'beta'])
  expect(words.notes[0]).toContain('no line holds the whole query')
  expect(words.results[0]).toMatchObject({ path: 'sub/alpha.ts', line: 2 })
  expect((await findText(search('zzz yyy'))).results).toEqual([])
  expect((await findWords(search(''), ['alpha'])).results).toHaveLength(3)
})

test('findSymbols returns the definition with its kind', async () => {
  const found = await findSymbols(search('alpha'))
  expect(found.lines).toEqual(['sub/alpha.ts:1: function alpha: export function alpha() {}'])
  expect(found.results[0]).toMatchObject({ path: 'sub/alpha.ts', line: 1, name: 'alpha', kind: 'function' })
})

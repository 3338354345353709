// Totals of the finder and of grep are lines, however many there are and wherever the limits lie.
import { expect, test } from 'vitest'
import { findText } from '../../../../internal/search/finder.ts'
import { countLinesOfFiles, meaningArgs } from '../../../../internal/search/ripgrep/line-counts.ts'
import { maxFoundBytes } from '../../../../internal/search/search-report.ts'
import { searchText } from '../../../../internal/search/text-search.ts'
import { means, plant, random } from '../../../support/search.ts'

/** A file of lines, some of which hold the word once, twice or in other letters. */
function page(next: () => number, lines: number): { text: string; hits: number } {
  let hits = 0
  const text = Array.from({ length: lines }, () => {
    const times = Math.floor(next() * 4)
    if (times > 0) hits++
    return `x ${'Greet greet '.repeat(times)}y`
  })
  return { text: `${text.join('\n')}\n`, hits }
}

test('the finder counts lines as lines and shows as many as the limit allows', async () => {
  const next = random(11)
  for (const sizes of [[4], [2500], [99], [100], [101], [60, 300, 1, 2500], Array(12).fill(150)]) {
    const files = sizes.map((size) => page(next, size))
    const dir = plant(Object.fromEntries(files.map(({ text }, i) => [`f${i}.txt`, text])))
    const all = files.reduce((sum, { hits }) => sum + hits, 0)
    const tree = { dir, top: dir, hidden: false, guarded: true, prefix: '' }
    for (const limit of [1, 50, 100, 100_000]) {
      const found = await findText({ tree, query: 'greet', limit, caseSensitive: false, means: means() })
      expect([sizes, limit, found.total]).toEqual([sizes, limit, all])
      expect(found.results.length).toBe(Math.min(limit, all))
      expect(found.notes.some((note) => note.includes('raise limit'))).toBe(limit < all)
    }
  }
})

test('a search that stops showing within one file goes on counting', async () => {
  for (const lines of [2_000, 40_000]) {
    const dir = plant({ 'huge.txt': `${'x'.repeat(100)}\n`.repeat(lines) })
    const tree = { dir, top: dir, hidden: false, guarded: true }
    for (const max of [1_000, 100_000]) {
      const wanted = { patterns: ['x'], regex: false, caseSensitive: true, word: false }
      const found = await searchText(
        tree,
        { ...wanted, max, context: 0, room: maxFoundBytes, exact: true },
        means(),
      )
      const shown = found.files.reduce((sum, file) => sum + file.lines.length, 0)
      expect(shown + found.left.matches).toBe(Math.min(lines, max))
      expect(found.capped).toEqual(lines > max ? [{ name: 'huge.txt', total: lines }] : [])
    }
  }
})

test('more names than one program takes', async () => {
  const names = Array.from({ length: 900 }, (_, i) => `${'d'.repeat(180)}${i}`)
  const dir = plant(Object.fromEntries(names.map((name, i) => [name, 'a\n'.repeat(i % 5)])))
  const counts = await countLinesOfFiles(
    names,
    dir,
    meaningArgs({ patterns: ['a'], regex: false, caseSensitive: true, word: false }),
    means(),
  )
  for (const [i, name] of names.entries()) expect(counts.get(name)).toBe(i % 5 === 0 ? undefined : i % 5)
})

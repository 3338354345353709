// Totals of the finder and of grep in lines, for any number of lines and any limits.
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunCommand } from '../../../../internal/process/process-command.ts'
import { findText } from '../../../../internal/search/finder.ts'
import { countLinesOfFiles, meaningArgs } from '../../../../internal/search/ripgrep/line-counts.ts'
import { runRipgrep } from '../../../../internal/search/ripgrep/ripgrep.ts'
import { maxFoundBytes } from '../../../../internal/search/search-report.ts'
import { searchText } from '../../../../internal/search/text-search.ts'
import { rounds } from '../../../support/sample.ts'
import { means, plant, random } from '../../../support/search.ts'

/** Returns a file of lines, some of which contain the word once, twice or in other letters. */
function page(next: () => number, lines: number): { text: string; hits: number } {
  let hits = 0
  const text = Array.from({ length: lines }, () => {
    const times = Math.floor(next() * 4)
    if (times > 0) hits++
    return `x ${'Greet greet '.repeat(times)}y`
  })
  return { text: `${text.join('\n')}\n`, hits }
}

test('the finder counts lines and shows as many as the limit allows', async () => {
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

test('a search that stops showing within one file continues to count', async () => {
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

test('accepts more names than one program takes', async () => {
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

test('uses a few bytes of memory per byte of a line without an end', {
  timeout: 60_000,
}, async () => {
  const dir = plant({ 'small.txt': 'a needle here\n' })
  const file = openSync(join(dir, 'big.txt'), 'w')
  const part = Buffer.from('needle here word '.repeat(60_000))
  for (let size = 0; size < 100_000_000; size += part.length) writeSync(file, part)
  closeSync(file)
  const { run, ...others } = means()
  // with a match for each word ripgrep would use 950 MB
  const bounded: RunCommand = (command) => {
    const line = 'ulimit -v 700000; exec "$@"'
    return (run as RunCommand)({
      ...command,
      file: 'bash',
      args: ['-c', line, 'x', command.file, ...command.args],
    })
  }
  const tree = { dir, top: dir, hidden: false, guarded: true, prefix: '' }
  const search = { tree, query: 'kryf word needle', limit: 10, caseSensitive: false }
  const found = await findText({ ...search, means: { run: bounded, ...others } })
  expect(found.ended).toBeUndefined()
  expect(found.results.map(({ path }) => path).sort()).toEqual(['big.txt', 'small.txt'])
})

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)

test('the sparse pattern finds at most 10 % fewer occurrences than the full pattern, on lines of every length', async () => {
  const next = random(12)
  const words = ['needle', 'word', 'a.b', 'x+y', 'Ümlaut']
  for (let round = 0; round < rounds(12, 40); round++) {
    const filler = () => ' .,;é'[Math.floor(next() * 5)]?.repeat(Math.floor(next() * 700)) ?? ''
    const lines = Array.from({ length: 5 }, () =>
      Array.from(
        { length: Math.floor(next() * 30) },
        () => `${words[Math.floor(next() * 7)] ?? 'other'}${filler()}`,
      ).join(' '),
    )
    const dir = plant({ 'a.txt': `${lines.join('\n')}\n` })
    const count = async (sparse: boolean) => {
      const args = meaningArgs({ patterns: words, regex: false, caseSensitive: true, word: false, sparse })
      let text = ''
      await runRipgrep(['--only-matching', ...args, 'a.txt'], dir, means(), (chunk) => {
        text += chunk.toString()
      })
      const sums = words.map((word) => text.split(word).length - 1)
      return { sums, matches: text.split('\n').length - 1 }
    }
    const [sparse, all] = [await count(true), await count(false)]
    for (const [i, some] of sparse.sums.entries()) expect(some).toBeLessThanOrEqual(all.sums[i] as number)
    const missing = sum(all.sums) - sum(sparse.sums)
    expect(missing).toBeLessThanOrEqual(sum(all.sums) * 0.1)
  }
})

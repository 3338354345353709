// The map of the sources for the planner: it counts each file once, and is short for any tree.
import { expect, test } from 'vitest'
import { drawSourceMap } from '../../../../internal/study/plan/source-map.ts'
import { choice, rng } from '../../../support/rng.ts'

const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

test('lists directories with the number of their files and the first names', () => {
  const paths = ['README.md', 'doc/a.md', 'doc/b.md', 'src/main.ts', 'src/store/lock.ts', 'src/store/log.ts']
  expect(drawSourceMap(paths)).toBe(
    './ 1 file: README.md\ndoc/ 2 files: a.md, b.md\nsrc/ 1 file: main.ts\nsrc/store/ 2 files: lock.ts, log.ts',
  )
  expect(drawSourceMap(['a\nb.md'])).toBe('./ 1 file: a b.md')
  expect(drawSourceMap([])).toBe('')
})

test(`is short, and counts each file once if it lists all directories (seed ${seed})`, () => {
  const random = rng(seed)
  for (let round = 0; round < 60; round++) {
    const width = 1 + Math.floor(random() * 60)
    const paths = Array.from({ length: Math.floor(random() * 3000) }, (_, i) => {
      const depth = Math.floor(random() * 7)
      const dirs = Array.from({ length: depth }, () => `d${Math.floor(random() * width)}`)
      return [...dirs, `${choice(random, ['file', 'x'.repeat(200)])}${i}.md`].join('/')
    }).sort()
    const lines = drawSourceMap(paths).split('\n')
    expect(lines.length).toBeLessThanOrEqual(41)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(161)
    const countOf = (line: string) => Number(/\/ ([\d,]+) files?: /.exec(line)?.[1]?.replaceAll(',', '') ?? 0)
    const counted = lines.reduce((sum, line) => sum + countOf(line), 0)
    if (!lines.at(-1)?.startsWith('and ')) expect(counted).toBe(paths.length)
    else expect(counted).toBeLessThan(paths.length)
  }
})

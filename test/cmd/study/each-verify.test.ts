// `anode study verify` of a table: cells that hold, and each way in which a stored cell no longer holds.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fingerprint } from '../../../internal/base/fingerprint.ts'
import type { JournalLine } from '../../../internal/store/journal/journal.ts'
import { openJournal } from '../../../internal/store/journal/sqlite.ts'
import { foldStudy } from '../../../internal/study/log/state.ts'
import { verifyTable } from '../../../internal/study/table/verify-table.ts'
import { type World, world } from '../../support/anode.ts'

vi.setConfig({ testTimeout: 120_000 })

const birch = 'Birch\n\nIn total 83 patients were enrolled.\n\nThe funder of the work was the Alder Fund.\n'

let at: World
beforeEach(async () => {
  at = world()
  at.put('papers/birch.txt', birch)
  at.put('papers/cedar.txt', 'Cedar\n\nIn total 1,204 patients were enrolled.\n')
  const columns = ['--columns', 'patients: number; funder']
  const words = ['study', 'How many were enrolled?', '--each', 'papers/*', ...columns]
  expect((await at.anode([...words, '--model', 'builtin/extract'])).code).toBe(3)
})
afterEach(() => at.remove())

const verify = async (...more: string[]) => {
  const done = await at.anode(['study', 'verify', 'last', ...more])
  return { ...done, lines: done.out.trim().split('\n') }
}

it('verifies each filled cell, and notes documents that changed or disappeared', async () => {
  const first = await verify()
  expect(first.code, first.err).toBe(0)
  expect(first.lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['document', 'column', 'state', 'place'],
    ['papers/birch.txt', 'patients', 'verified', 'line 3'],
    ['papers/birch.txt', 'funder', 'verified', 'line 5'],
    ['papers/cedar.txt', 'patients', 'verified', 'line 3'],
    [''],
    ['citation accuracy 1.00, at least 0.95 wanted'],
    ['support 1.00, at least 0.8 wanted'],
  ])
  at.put('papers/birch.txt', 'Nothing is left.\n')
  rmSync(join(at.dir, 'papers/cedar.txt'))
  const later = await verify('--json')
  expect(later.code).toBe(0)
  const { cells, citation_accuracy: accuracy } = JSON.parse(later.out)
  expect(accuracy).toBe(1)
  expect(cells.map((cell: { source_changed: boolean }) => cell.source_changed)).toEqual([true, true, false])
  const judged = await verify('--judge', '1')
  expect([judged.code, judged.err]).toEqual([2, expect.stringContaining('a table has no claims for a judge')])
})

type Change = (cell: Record<string, unknown>, filed: Record<string, unknown>) => void

const damages: readonly [string, Change][] = [
  ['no_evidence', (cell) => Object.assign(cell, { evidence: 'E9.9' })],
  ['excerpt_damaged', (_, filed) => Object.assign(filed, { excerpt: 'In total 84 patients were enrolled.' })],
  ['quote_missing', (cell) => Object.assign(cell, { quote: 'In total 84 patients were enrolled.' })],
  ['value_missing', (cell) => Object.assign(cell, { value: '84' })],
  ['value_missing', (cell) => Object.assign(cell, { value: 'many' })],
  ['locator_wrong', (cell) => Object.assign(cell, { place: 'line 1' })],
  [
    'locator_wrong',
    (cell, filed) => {
      const excerpt = 'In total 84 patients were enrolled.'
      Object.assign(filed, { excerpt, excerptSha256: fingerprint(excerpt) })
      Object.assign(cell, { quote: excerpt, value: '84' })
    },
  ],
]

it.each(damages)('reports %s', async (reason, damage) => {
  const journal = await openJournal(at.data)
  const [study] = journal.studies.list({ limit: 1 })
  const lines = (await journal.read(study?.id ?? '', 0, 1000)) as JournalLine[]
  await journal.close()
  const row = lines.find(({ kind, data }) => kind === 'row' && data['path'] === 'papers/birch.txt')
  const [cell] = (row?.data['cells'] ?? []) as Record<string, unknown>[]
  const filed = lines.find(({ kind, data }) => kind === 'evidence' && data['id'] === cell?.['evidence'])
  damage(cell as Record<string, unknown>, filed?.data as Record<string, unknown>)
  const { verdicts, accuracy } = await verifyTable(foldStudy(lines), new AbortController().signal)
  expect(verdicts[0]).toMatchObject({ column: 'patients', state: 'not_found', verified: false, reason })
  expect(verdicts.slice(1).map(({ state }) => state)).toEqual(['verified', 'verified'])
  expect(accuracy).toBeCloseTo(2 / 3)
})

it('stores only the lines with the quote of a long paragraph', async () => {
  const filler = Array.from({ length: 3000 }, (_, i) => `The sea was calm on day ${i} of the voyage.`)
  at.put('long/oak.txt', [...filler, 'In total 31 patients were enrolled.', ...filler].join('\n'))
  const words = ['--each', 'long/*', '--columns', 'patients: number', '--model', 'builtin/extract']
  expect((await at.anode(['study', 'How many were enrolled?', ...words])).code).toBe(0)
  const trace = await at.anode(['study', 'trace', 'last', '--json'])
  const filed = trace.out.split('\n').find((line) => line.includes('"kind":"evidence"'))
  expect(JSON.parse(filed ?? '').data.excerpt).toBe('In total 31 patients were enrolled.')
  expect((await verify()).code).toBe(0)
})

// Experiment sessions as the server shows them, read from real ledgers.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appendEntry, parseLedger } from '../../../../internal/research/ledger/ledger.ts'
import { openResearchBoards } from '../../../../internal/service/research/research-boards.ts'
import { plant, scratch } from '../../../support/scratch.ts'
import { final, lines, run } from '../../research/report/sample.ts'

async function ledgerIn(data: string): Promise<(line: { type: string }) => Promise<void>> {
  const dir = join(data, 'research', 'shop-ab12', 'try')
  mkdirSync(dir, { recursive: true })
  let ledger = parseLedger(new Uint8Array(), '')
  return async (line) => {
    ledger = await appendEntry(join(dir, 'ledger.jsonl'), ledger, line)
  }
}

it('lists sessions, returns the state of one, and its ledger lines by number', async () => {
  const data = scratch()
  const boards = openResearchBoards(data)
  expect(await boards.list()).toEqual([])
  const append = await ledgerIn(data)
  plant(data, { 'research/timing.lock': '', 'research/shop-ab12/active': 'try\n', 'research/empty/x/y': '' })
  for (const line of lines) await append(line)
  const [listed] = await boards.list()
  expect(listed).toMatchObject({ id: 'shop-ab12.try', counts: { keep: 2 } })
  const board = await boards.board('shop-ab12.try')
  expect(board).toMatchObject({ best: 6, baseline: { value: 100 }, pending: [] })
  expect(board?.runs[1]?.range).toEqual([48, 52])
  const before = (await boards.records('shop-ab12.try', 0)) ?? []
  expect(before.map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1))
  expect(JSON.stringify(before)).not.toContain('samples')
  await append(run(7, {}))
  expect(await boards.records('shop-ab12.try', lines.length)).toMatchObject([{ type: 'run', run: 7 }])
})

it.each([undefined, 'absolute' as const])('shows changes with the unit %s', async (unit) => {
  const data = scratch()
  const append = await ledgerIn(data)
  const effect = { pct: 3, ci: [1, 4] as [number, number], p: 0.5, pairs: 8, confirmed: false, unit }
  await append(lines[0] as { type: string })
  await append(run(1, { status: 'keep', reason: 'gain', metric: 3, effect }))
  const drift = {
    type: 'drift',
    segment: 0,
    samples: [3],
    pct: 3,
    drifted: true,
    unit,
    timestamp: '2026-01-01T00:00:00.000Z',
  }
  await append(drift)
  await append(Object.assign(final(3, [1, 4], 1), { effect }))
  const board = await openResearchBoards(data).board('shop-ab12.try')
  const change = { pct: 3, unit: unit ?? null }
  expect(board).toMatchObject({ runs: [change], final: change, drifts: [change] })
  const sign = unit === 'absolute' ? '' : '%'
  expect(board?.warnings).toContain(
    `the baseline itself moved by +3.0${sign}; decisions are paired and stay valid`,
  )
})

it('returns nothing for an unknown or invalid id', async () => {
  const data = scratch()
  const append = await ledgerIn(data)
  for (const line of lines) await append(line)
  const boards = openResearchBoards(join(data))
  for (const id of ['', '..', 'shop-ab12', 'shop-ab12.try.try', '../research.try', 'shop-ab12.no', 'a/b.c'])
    expect([id, await boards.board(id), await boards.records(id, 0)]).toEqual([id, undefined, undefined])
})

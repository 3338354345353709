// The final comparison: only a test calls anything a gain, and asking again never makes one.
import { expect, it, vi } from 'vitest'
import { finalLevel, isShown } from '../../../internal/research/judge/baseline-rules.ts'
import { buildOverview } from '../../../internal/research/report/overview.ts'
import { finalWords } from '../../../internal/research/report/status-lines.ts'
import { seededRandom } from '../../../internal/research/stats/seeded-random.ts'
import { signFlipTest } from '../../../internal/research/stats/statistics.ts'
import { files, lab, paired } from '../../support/research.ts'
import { rounds } from '../../support/sample.ts'

vi.setConfig({ testTimeout: 180_000 })

it('is rejected while best is the baseline', async () => {
  const at = lab()
  const research = await at.open()
  await research.init({ ...paired, skipNullTest: true })
  await expect(research.final()).rejects.toMatchObject({
    exit: 1,
    message: expect.stringContaining('baseline'),
  })
  await research.run()
  await research.log({ status: 'baseline' })
  await expect(research.final()).rejects.toMatchObject({ exit: 1 })
  at.put('speed.txt', '120\n')
  await research.run()
  await research.log({ status: 'discard' })
  await expect(research.final()).rejects.toMatchObject({ exit: 1 })
  expect((await research.state()).active?.finals).toEqual([])
})

it('says which final of a best it is, at which level, and in words of the metric', async () => {
  const at = lab({
    ...files,
    '.auto/measure.sh': 'echo "METRIC ms=$(($(cat speed.txt) * 100 + RANDOM % 50))"\n',
  })
  const research = await at.open()
  await research.init({ ...paired, skipNullTest: true, unit: 'us' })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '50\n')
  expect((await research.run()).status).toBe('keep')
  await research.log({ status: 'keep' })
  expect(await research.final()).toMatchObject({ number: 1, level: 0.025, gain: true })
  const view = buildOverview(await research.state())
  expect(view && finalWords(view)).toMatch(
    /^gain: ms 10,?0\d\d -> 5,?0\d\d us, \d\d\.\d % lower \(\d\d\.\d to \d\d\.\d\) {2}20 pairs/,
  )
  expect(await research.final()).toMatchObject({ number: 2, gain: true })
  expect((await research.state()).active?.finals).toHaveLength(2)
})

it('never spends more than its level, however often it is asked', () => {
  const spent = Array.from({ length: 10_000 }, (_, i) => finalLevel(0.05, i + 1)).reduce((a, b) => a + b, 0)
  expect(spent).toBeLessThan(0.05)
  // sessions whose best is the baseline by another name, each asked 25 times
  const sessions = rounds(120, 300)
  const config = { gate: { alpha: 0.05 }, bestDirection: 'lower' as const }
  let fooled = 0
  let naive = 0
  for (let seed = 0; seed < sessions; seed++) {
    const chance = seededRandom(seed, 'luck')
    const ps = Array.from({ length: 25 }, () =>
      signFlipTest(
        Array.from({ length: 12 }, () => chance.unit() - 0.5),
        chance,
      ),
    )
    if (ps.some((p, i) => isShown({ p, pct: -1 }, config, i + 1))) fooled++
    if (ps.some((p) => p < 0.05)) naive++
  }
  expect(naive).toBeGreaterThan(sessions / 2)
  expect(fooled).toBeLessThanOrEqual(0.08 * sessions)
})

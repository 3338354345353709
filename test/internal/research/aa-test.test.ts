// The A/A test: the baseline as a candidate is kept no more often than the level allows.
import { expect, it, vi } from 'vitest'
import { files, lab, paired } from '../../support/research.ts'
import { full, rounds } from '../../support/sample.ts'

// every case starts dozens of git processes, and other tests may be at work
vi.setConfig({ testTimeout: 30_000 })

const noisy = {
  ...files,
  '.auto/measure.sh':
    'awk -v v="$(cat speed.txt)" -v r="$RANDOM" \'BEGIN { print "METRIC ms=" v * (0.97 + 0.06 * r / ' +
    "32768) }'\n",
}

it('does not keep the baseline as a candidate', { timeout: 120_000 }, async () => {
  const at = lab(noisy)
  const research = await at.open()
  await research.init({
    ...paired,
    skipNullTest: true,
    scope: ['speed.txt'],
    looks: full ? [8, 16, 32] : [8],
  })
  const candidates = rounds(2, 6)
  const found = await research.aa({ candidates })
  // by chance one in some hundred is kept, two are not
  expect(found.candidates).toBe(candidates)
  expect(found.false_keeps).toBeLessThanOrEqual(1)
  expect(found.naive_claimed_pct < 0).toBe(found.naive_keeps > 0)
  expect(found.pairs).toBeGreaterThanOrEqual(candidates * 8)
  expect((await research.state()).lines).toBe(1)
})

it('reports a change from 0 in the unit of the metric', async () => {
  const at = lab({ ...files, '.auto/measure.sh': 'echo "METRIC ms=0"\n' })
  const research = await at.open()
  await research.init({ ...paired, skipNullTest: true, scope: ['speed.txt'], looks: [8] })
  expect(await research.aa({ candidates: 1 })).toMatchObject({ unit: 'absolute', naive_claimed_pct: 0 })
})

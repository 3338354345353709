// The loop as the tool contract describes it: one execution per run, the caller decides.
import { expect, it, vi } from 'vitest'
import { lab, paired, plain, refusal } from '../../support/research.ts'

// every case starts dozens of git processes, and other tests may be at work
vi.setConfig({ testTimeout: 120_000 })

it('measures, keeps and discards', async () => {
  const at = lab()
  const research = await at.open()
  const started = await research.init(plain)
  expect(started).toMatchObject({ segment: 0, gate: 'plain', dirty: [] })
  expect(at.git('status', '--porcelain')).toBe('')

  expect(await research.run()).toMatchObject({ run: 1, status: 'baseline', metric: 100, changed: [] })
  expect(await research.log({ status: 'baseline' })).toMatchObject({ commit: null })

  at.put('speed.txt', '90\n')
  expect(await research.run()).toMatchObject({
    run: 2,
    metric: 90,
    changed: ['speed.txt'],
    advice: 'undecided',
  })
  const kept = await research.log({ status: 'keep', description: 'faster' })
  expect(kept.commit).toBe(at.git('rev-parse', 'HEAD').trim())
  expect(at.git('log', '-1', '--format=%B')).toMatch(/^faster\n\nResult: \{"run":2,/)
  expect(at.git('status', '--porcelain')).toBe('')

  at.put('speed.txt', '95\n')
  at.put('new/file.txt', 'made\n')
  expect(await research.run()).toMatchObject({ run: 3, metric: 95, changed: ['new/file.txt', 'speed.txt'] })
  const gone = await research.log({ status: 'discard' })
  expect(gone.restored).toEqual(['new/file.txt', 'speed.txt'])
  expect(at.read('speed.txt')).toBe('90\n')
  expect(at.git('status', '--porcelain')).toBe('')

  const { active } = await research.state()
  expect(active?.counts).toEqual({ baseline: 1, keep: 1, discard: 1, crash: 0, checks_failed: 0, total: 3 })
  expect(active?.best).toMatchObject({ run: 2, value: 90, evidence: 'single_sample' })
  expect(await research.verify()).toEqual({ ok: true, lines: 4, problems: [] })
  expect(await refusal(research.log({ status: 'keep' }))).toBe('nothing_pending')
})

const noisy = {
  'speed.txt': '100\n',
  'README.md': 'read me\n',
  // a few percent of noise that depends on nothing a candidate could reach
  '.auto/measure.sh':
    'awk -v v="$(cat speed.txt)" -v r="$RANDOM" \'BEGIN { print "METRIC ms=" v * (0.97 + 0.06 * r / ' +
    "32768) }'\n",
}

it('judges by pairs under the paired gate', { timeout: 120_000 }, async () => {
  const at = lab(noisy)
  const research = await at.open()
  const started = await research.init({ ...paired, scope: ['speed.txt'] })
  expect(started.nullTest).toMatchObject({ very_noisy: false })
  const baseline = await research.run()
  expect(baseline).toMatchObject({ run: 1, status: 'baseline', samples: { cand: [] } })
  expect(baseline.samples?.base).toHaveLength(8)
  await research.log({ status: 'baseline' })

  at.put('speed.txt', '80\n')
  const won = await research.run()
  expect(won).toMatchObject({ run: 2, status: 'keep', reason: 'gain', effect: { confirmed: true } })
  const kept = await research.log({ status: 'keep', description: 'less' })
  expect(kept.line.evidence).toBe('paired')
  expect(at.git('rev-parse', 'HEAD').trim()).toBe(kept.commit)

  at.put('speed.txt', '120\n')
  expect(await research.run()).toMatchObject({ run: 3, status: 'discard', reason: 'worse' })
  expect(await refusal(research.log({ status: 'keep' }))).toBe('failed_run_not_keepable')
  await research.log({ status: 'discard' })
  expect(at.read('speed.txt')).toBe('80\n')

  expect(await research.run()).toMatchObject({ status: 'discard', reason: 'no_change' })
  await research.log({ status: 'discard' })
  const line = await research.final()
  expect(line.effect.pct).toBeLessThan(-10)
  expect(await research.verify()).toMatchObject({ ok: true, problems: [] })
  expect(at.git('status', '--porcelain')).toBe('')
})

// The loop as the tool contract describes it: one execution per run, the caller decides.
import { expect, it } from 'vitest'
import { lab, plain, refusal } from '../../support/research.ts'

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

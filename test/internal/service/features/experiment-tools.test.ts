// The experiment tools over the real engine.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openExperimentTools } from '../../../../internal/service/features/index.ts'
import { initExperiment } from '../../../../internal/tools/research/init_experiment.ts'
import { logExperiment } from '../../../../internal/tools/research/log_experiment.ts'
import { runExperiment } from '../../../../internal/tools/research/run_experiment.ts'
import { accessOf, call, ctxWith } from '../../../support/ctx.ts'
import { env, lab } from '../../../support/research.ts'
import { run } from '../../../support/run.ts'

// every case starts dozens of git processes, and other tests may be at work
vi.setConfig({ testTimeout: 120_000 })

const basic = { name: 'x', primary_metric: 'ms', direction: 'lower', command: 'bash .auto/measure.sh' }

it('measures with the fixed parameters of the contract alone', async () => {
  const at = lab()
  const research = openExperimentTools({
    workspace: at.dir,
    env: { ...env, ANODE_DATA_DIR: at.data },
    run,
    trusted: false,
  })
  const ctx = ctxWith({ research }, { cwd: at.dir })
  expect(research.active()).toBe(false)
  const begun = await call(initExperiment, basic, ctx)
  expect(begun.text).toContain('session x: ms, lower is better, judged by one sample of each run')
  expect(begun.text).toContain('next: run_experiment')
  expect(research.active()).toBe(true)
  const first = await call(runExperiment, {}, ctx)
  expect(first.text).toBe(
    'run 1: ms 100\nverdict baseline (baseline)\nnext: log_experiment with status baseline',
  )
  expect((await call(logExperiment, { status: 'baseline' }, ctx)).text).toContain('run 1 logged: baseline')
  at.put('speed.txt', '90\n')
  const second = await call(runExperiment, { description: 'less' }, ctx)
  expect(second.text).toContain('changed speed.txt')
  expect(second.text).toContain('next: log_experiment with status keep or discard')
  const kept = await call(logExperiment, { status: 'keep', commit_message: 'Do less' }, ctx)
  expect(kept.text).toContain('on a single sample')
  expect(at.git('log', '-1', '--format=%s').trim()).toBe('Do less')
  expect(existsSync(join(at.dir, '.auto', 'log.jsonl'))).toBe(true)
})

it('takes guards as a wish for pairs', async () => {
  const at = lab()
  const research = openExperimentTools({
    workspace: at.dir,
    env: { ...env, ANODE_DATA_DIR: at.data },
    run,
    trusted: false,
  })
  const ctx = ctxWith({ research }, { cwd: at.dir })
  const begun = await call(initExperiment, { ...basic, guards: ['kb<=200'] }, ctx)
  expect(begun.text).toContain('judged by repeated pairs of runs')
})

it('asks for another command what it would ask of a shell', () => {
  const args = { command: 'rm -rf x' } as Parameters<typeof runExperiment.run>[0]
  expect(accessOf(runExperiment, args).level).toBe('confirm_execute')
  expect(accessOf(runExperiment, args).scope).toEqual([{ kind: 'command', line: 'rm -rf x' }])
  expect(accessOf(runExperiment, {})).toEqual({})
})

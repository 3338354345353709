import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AutoLoopResult } from '../../../../internal/research/auto-loop.ts'
import {
  type AutoRunOptions,
  completeSettings,
  runAuto,
} from '../../../../internal/service/research/auto-run.ts'
import { withExperiments } from '../../../../internal/service/research/experiment-runtime.ts'
import { env, files, type Lab, lab, plain, refusal } from '../../../support/research.ts'

const config = { name: 'try', primary_metric: 'ms', direction: 'lower', scope: ['speed.txt'] }
const script = [{ description: 'less', edits: [{ file: 'speed.txt', text: '90\n' }] }]
const all = {
  ...files,
  '.auto/config.json': JSON.stringify(config),
  'script.json': JSON.stringify(script),
}

function search(at: Lab, more: Partial<AutoRunOptions> = {}): Promise<AutoLoopResult> {
  const options = {
    cwd: at.dir,
    env: { ...env, ANODE_DATA_DIR: at.data },
    signal: new AbortController().signal,
    note: () => undefined,
  }
  const asked: AutoRunOptions = {
    policy: 'scripted:script.json',
    limits: { maxRuns: 5, patience: 0 },
    parallel: 1,
    finalPairs: 20,
    agent: { caps: {}, timeoutMs: 1000 },
    logged: () => undefined,
    started: () => undefined,
    ...more,
  }
  return withExperiments(options, (laboratory) => runAuto(laboratory, asked))
}

describe('runAuto', { timeout: 60_000 }, () => {
  it('makes the session that the workspace describes, once', async () => {
    const at = lab(all)
    const started: string[] = []
    const asked = { started: ({ name }: { name: string }) => started.push(name) }
    const end = await search(at, asked)
    expect(end.lines.map(({ status }) => status)).toEqual(['baseline', 'keep'])
    expect(end.final?.effect.pct).toBeCloseTo(-10)
    expect((await search(at, asked)).lines).toEqual([])
    expect(started).toEqual(['try'])
  })

  it.each([
    ['an unknown policy', { policy: 'clever' }, 'exit 2'],
    ['a script that is not there', { policy: 'scripted:none.json' }, 'exit 2'],
    ['knobs that are not there', { policy: 'random' }, 'exit 2'],
  ])('starts nothing with %s', async (_, more, code) => {
    const at = lab(all)
    expect(await refusal(search(at, more))).toBe(code)
    expect(existsSync(join(at.data, 'research'))).toBe(false)
  })

  it('refuses a session that one sample decides', async () => {
    const at = lab(all)
    await (await at.open()).init(plain)
    expect(await refusal(search(at))).toBe('exit 2')
  })

  it('says what is missing where nothing describes a session', async () => {
    const { '.auto/config.json': _, ...rest } = all
    expect(await refusal(search(lab(rest)))).toBe('no_session')
  })
})

describe('completeSettings', () => {
  it('keeps what the workspace says, and pairs measurements unless it says otherwise', () => {
    const said = { name: 'a', metric: 'm', direction: 'lower', unit: 'ms' }
    expect(completeSettings(said)).toEqual({ ...said, gate: 'paired' })
    expect(completeSettings({ ...said, gate: 'plain' }).gate).toBe('plain')
  })

  it('names what is missing', () => {
    expect(() => completeSettings({ name: 'a' })).toThrow('nothing says its metric, direction')
  })
})

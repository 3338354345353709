// The loop over the real engine: a benchmark that reads its value from a file, and policies from plain lists.
import { describe, expect, it } from 'vitest'
import { type AutoLoopOptions, runAutoLoop } from '../../../internal/research/auto-loop.ts'
import type { RunLine } from '../../../internal/research/ledger/experiment-run.ts'
import type { ProposedEdit } from '../../../internal/research/proposers/proposal.ts'
import {
  type ProposalOutcome,
  type Proposer,
  randomProposer,
  scriptedProposer,
} from '../../../internal/research/proposers/proposer.ts'
import { type Lab, lab, paired } from '../../support/research.ts'

const settings = { ...paired, scope: ['*.txt'], skipNullTest: true }

/** The metric is the sum of two files. */
const sum = {
  'a.txt': '60\n',
  'b.txt': '40\n',
  '.auto/measure.sh': 'echo "METRIC ms=$(( $(cat a.txt) + $(cat b.txt) ))"\n',
}

const steps = (...all: ProposedEdit[][]) =>
  all.map((edits, i) => ({ description: `step ${i + 1}`, edits, asi: { step: i + 1 } }))
const set = (file: string, value: number): ProposedEdit => ({ file, text: `${value}\n` })

function order(policy: Proposer, more: Partial<AutoLoopOptions> = {}): AutoLoopOptions & { told: string[] } {
  const told: string[] = []
  return {
    policy,
    limits: { maxRuns: 25, patience: 20 },
    parallel: 1,
    finalPairs: 20,
    signal: new AbortController().signal,
    logged: ({ run, status, reason }: RunLine) => told.push(`${run} ${status} ${reason}`),
    told,
    ...more,
  }
}

async function begun(at: Lab) {
  const research = await at.open()
  await research.init(settings)
  return research
}

describe('auto', { timeout: 60_000 }, () => {
  it('keeps better candidates and leaves the checkout unchanged', async () => {
    const at = lab(sum)
    const before = [
      at.git('status', '--porcelain'),
      at.git('rev-parse', 'HEAD'),
      at.git('branch', '--show-current'),
    ]
    const asked = order(scriptedProposer(steps([set('a.txt', 50)], [set('a.txt', 70)], [set('b.txt', 30)])))
    const end = await runAutoLoop(await begun(at), asked)
    expect(asked.told).toEqual([
      '1 baseline baseline',
      '2 keep deterministic',
      '3 discard worse',
      '4 keep deterministic',
    ])
    expect(end).toMatchObject({ stopped: 'exhausted', cost: { usd: 0, tokens: 0 } })
    expect(end.final?.effect.pct).toBeCloseTo(-20)
    expect(at.git('log', '--format=%s', 'main..anode/try').trim().split('\n')).toEqual(['step 3', 'step 1'])
    expect([
      at.git('status', '--porcelain'),
      at.git('rev-parse', 'HEAD'),
      at.git('branch', '--show-current'),
    ]).toEqual(before)
    expect(at.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    expect((await (await at.open()).verify()).problems).toEqual([])
  })

  it('does not change files that differ only from a best of another checkout', async () => {
    const at = lab(sum)
    const research = await begun(at)
    await runAutoLoop(research, order(scriptedProposer(steps([set('a.txt', 50)]))))
    at.put('b.txt', '70\n')
    expect(await research.run()).toMatchObject({ status: 'discard', changed: ['a.txt', 'b.txt'] })
    expect((await research.log({ status: 'discard' })).restored).toEqual(['b.txt'])
    expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['60\n', '40\n'])
    expect(at.git('status', '--porcelain')).toBe('')
  })

  it('measures candidates of one round against the previous best, and drops conflicting ones', async () => {
    const at = lab(sum)
    const script = steps([set('a.txt', 50)], [set('b.txt', 30)], [set('a.txt', 55)])
    const asked = order(scriptedProposer(script), { parallel: 3 })
    const end = await runAutoLoop(await begun(at), asked)
    expect(asked.told.slice(1)).toEqual([
      '2 keep deterministic',
      '3 keep deterministic',
      '4 discard conflict',
    ])
    expect(end.lines[2]?.metric).toBe(80)
    expect(at.git('show', 'anode/try:a.txt', 'anode/try:b.txt')).toBe('50\n30\n')
  })

  it('recreates proposals that contain whole files instead of merging them', async () => {
    const at = lab(sum)
    const knobs = { file: 'a.txt', template: '{n}', knobs: { n: [59, 58, 57] } }
    const asked = order(randomProposer(knobs, 1), { parallel: 3 })
    const end = await runAutoLoop(await begun(at), asked)
    expect(asked.told.join('\n')).not.toMatch(/conflict/)
    expect(end.lines).toHaveLength(4)
  })

  it('logs edits that do not apply as a conflict without measuring them', async () => {
    const at = lab(sum)
    const edit = { file: 'a.txt', from: 'nothing of the kind', to: '1' }
    const asked = order(scriptedProposer(steps([edit])))
    const end = await runAutoLoop(await begun(at), asked)
    expect(asked.told.at(-1)).toBe('2 discard conflict')
    expect(end.lines[1]?.detail).toBe('a.txt: the text to replace occurs 0 times')
    expect(end.final).toBeUndefined()
  })

  it.each([
    ['max_runs', { maxRuns: 2, patience: 0 }, 2],
    ['patience', { maxRuns: 25, patience: 2 }, 3],
    ['deadline', { maxRuns: 25, patience: 0, deadline: Date.now() - 1 }, 0],
  ] as const)('stops by %s', async (stopped, limits, runs) => {
    const at = lab(sum)
    const worse = steps([set('a.txt', 61)], [set('a.txt', 62)], [set('a.txt', 63)])
    const end = await runAutoLoop(await begun(at), order(scriptedProposer(worse), { limits }))
    expect(end.stopped).toBe(stopped)
    expect(end.lines).toHaveLength(runs)
  })

  it('stops when the limit of the session is reached', async () => {
    const at = lab(sum)
    const research = await at.open()
    await research.init({ ...settings, maxRuns: 2 })
    const worse = steps([set('a.txt', 61)], [set('a.txt', 62)])
    expect(await runAutoLoop(research, order(scriptedProposer(worse)))).toMatchObject({ stopped: 'max_runs' })
    expect(await runAutoLoop(research, order(scriptedProposer(worse)))).toMatchObject({
      stopped: 'max_runs',
      lines: [],
    })
  })

  it('continues after the last run of an earlier call', async () => {
    const at = lab(sum)
    const research = await begun(at)
    const script = steps([set('a.txt', 50)], [set('a.txt', 45)])
    await runAutoLoop(research, order(scriptedProposer(script), { limits: { maxRuns: 2, patience: 0 } }))
    const asked = order(scriptedProposer(script))
    await runAutoLoop(research, asked)
    expect(asked.told).toEqual(['3 keep deterministic'])
  })

  it('stops when it is interrupted, and leaves nothing behind', async () => {
    const at = lab(sum)
    const stop = new AbortController()
    const research = await at.open({ signal: stop.signal })
    await research.init(settings)
    const script = steps([set('a.txt', 50)], [set('a.txt', 40)])
    const asked = order(scriptedProposer(script), {
      signal: stop.signal,
      logged: ({ run }) => run === 2 && stop.abort(),
    })
    const end = await runAutoLoop(research, asked)
    expect(end).toMatchObject({ stopped: 'interrupted' })
    expect(end.final).toBeUndefined()
    const again = await at.open()
    expect(await again.resume()).toMatchObject({ recovered: 'nothing', worktree_clean: true })
    expect((await again.verify()).ok).toBe(true)
  })

  it('gives up on a policy that fails, and on one that has spent its budget', async () => {
    const at = lab(sum)
    const research = await begun(at)
    const made = (more: Partial<ProposalOutcome>): Proposer => ({
      name: 'test',
      remakesOnNewBest: false,
      next: async () => ({
        make: async () => ({ description: 'x', asi: {}, cost: { usd: 1, tokens: 10 }, ...more }),
      }),
    })
    const failing = made({ failed: { kind: 'policy', detail: 'no answer' } })
    expect(await runAutoLoop(research, order(failing))).toMatchObject({
      stopped: 'policy_failed',
      detail: 'no answer',
      cost: { usd: 3, tokens: 30 },
    })
    const limits = { maxRuns: 25, patience: 0 }
    expect(await runAutoLoop(research, order(made({}), { limits: { ...limits, usd: 2 } }))).toMatchObject({
      stopped: 'budget',
      cost: { usd: 2 },
    })
    const unknown = made({ cost: { usd: null, tokens: 10 } })
    expect(await runAutoLoop(research, order(unknown, { limits: { ...limits, usd: 2 } }))).toMatchObject({
      stopped: 'budget',
    })
    expect(await runAutoLoop(research, order(made({}), { limits: { ...limits, tokens: 15 } }))).toMatchObject(
      {
        stopped: 'budget',
      },
    )
  })

  it('stops when the judge itself is tampered with', async () => {
    const at = lab(sum)
    const research = await begun(at)
    const script = steps(...Array.from({ length: 5 }, (_, i) => [set('a.txt', 70 + i)]))
    const asked = order(scriptedProposer(script), {
      logged: ({ run }) => run === 2 && at.put('.auto/measure.sh', 'echo METRIC ms=1\n'),
    })
    const end = await runAutoLoop(research, asked)
    expect(end).toMatchObject({ stopped: 'lock_violation' })
    expect(end.lines.map(({ reason }) => reason)).toEqual([
      'baseline',
      'worse',
      'lock_violation',
      'lock_violation',
    ])
  })

  it('fails without a baseline', async () => {
    const at = lab({ ...sum, '.auto/measure.sh': 'exit 3\n' })
    const end = await runAutoLoop(await begun(at), order(scriptedProposer(steps([set('a.txt', 50)]))))
    expect(end).toMatchObject({ stopped: 'policy_failed', detail: expect.stringContaining('baseline') })
  })
})

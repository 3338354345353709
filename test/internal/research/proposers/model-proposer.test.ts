import { expect, it } from 'vitest'
import {
  modelProposer,
  type ProposerAgentRequest,
  type ProposerAgentResult,
} from '../../../../internal/research/proposers/model-proposer.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { header, lines, stateOf } from '../report/sample.ts'

const signal = new AbortController().signal
const done: ProposerAgentResult = {
  end: 'done',
  text: 'Use -O2\nHypothesis: faster',
  thread: 't1',
  cost: { tokens: 30, usd: 0.5 },
}

function policy(end: Partial<ProposerAgentResult>, files: Record<string, string> = {}) {
  const orders: ProposerAgentRequest[] = []
  const agent = async (order: ProposerAgentRequest) => {
    orders.push(order)
    return { ...done, ...end }
  }
  return { orders, policy: modelProposer(agent, scratchWith(files)) }
}

it('gives every experiment a fresh agent with the brief and the notes of the moment', async () => {
  const at = policy({}, { '.auto/prompt.md': 'Mind the cache.', 'autoresearch.ideas.md': 'unroll' })
  const state = stateOf([{ ...header, locked: ['bench/**'] }, ...lines.slice(1)])
  const [one, two] = [await at.policy.next(state), await at.policy.next(state)]
  expect(await one?.make('/w1', signal)).toEqual({
    description: 'Use -O2',
    asi: { hypothesis: 'faster', thread: 't1' },
    cost: { usd: 0.5, tokens: 30 },
  })
  await two?.make('/w2', signal)
  expect(at.orders.map(({ dir, title, locked }) => [dir, title, locked])).toEqual([
    ['/w1', 'experiment 7', ['bench/**']],
    ['/w2', 'experiment 8', ['bench/**']],
  ])
  expect(at.orders[0]?.prompt).toMatch(/Mind the cache[\s\S]*unroll/)
})

it.each([
  [{ end: 'partial', reason: 'turns' } as const, undefined],
  [{ end: 'failed', reason: 'network: gone' } as const, { kind: 'policy', detail: 'network: gone' }],
  [{ end: 'cancelled' } as const, { kind: 'policy', detail: 'cancelled' }],
])('an agent that ends %j', async (end, failed) => {
  const draft = await policy(end).policy.next(stateOf(lines))
  expect((await draft?.make('/w', signal))?.failed).toEqual(failed)
})

it('gives candidates that are made at the same time different briefs, with the ideas that are taken', async () => {
  const replies = [1, 2, 3, 4, 5, 6].map((n) => ({ ...done, text: `Idea ${n}\nHypothesis: h` }))
  const orders: ProposerAgentRequest[] = []
  const release: (() => void)[] = []
  const proposer = modelProposer(async (order) => {
    orders.push(order)
    await new Promise<void>((resolve) => release.push(resolve))
    return replies.shift() ?? done
  }, scratchWith({}))
  const begin = async () => (await proposer.next(stateOf(lines)))?.make('/w', signal)
  const making = [begin(), begin(), begin()]
  await expect.poll(() => release.length).toBe(3)
  expect(new Set(orders.map(({ prompt }) => prompt)).size).toBe(3)
  expect(orders[0]?.prompt).not.toContain('at the same time')
  expect(orders[1]?.prompt).toContain('take number 2')
  expect(orders[2]?.prompt).toContain('take number 3')
  release[1]?.()
  await making[1]
  const next = begin()
  await expect.poll(() => release.length).toBe(4)
  expect(orders[3]?.prompt).toMatch(/take number 2\.[\s\S]*Ideas already taken, do not repeat\n- Idea 1/)
  for (const free of release) free()
  await Promise.all([...making, next])
})

// What the gate allows is run among canaries: generated lines, each policy with the effects that it rules out.
import { describe, expect, test } from 'vitest'
import { rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { campaign, explain, type Plan } from '../../support/shell-fuzz/campaign.ts'
import { shapeOf, timeOf, worstLine } from '../../support/shell-fuzz/worst.ts'
import { deny, folder, policyOf, remove, rootsOf } from './policies.ts'

const seed = Number(process.env.ANODE_SEED ?? 20_261_122)

/** 14,000 lines in the long form; of those that are allowed only a part is run, those with bait in them first. */
const plans: readonly Omit<Plan, 'seed'>[] = [
  { property: 'harmless', lines: rounds(350, 3_000), share: 0.02, baited: 0.15, most: 3 },
  { property: 'harmless-trusted', lines: rounds(600, 5_500), share: 0.02, baited: 0.15, most: 3 },
  { property: 'deny', lines: rounds(400, 3_500), share: 0.02, baited: 0.15, most: 3 },
  { property: 'allow', lines: rounds(300, 2_000), share: 0.02, baited: 0.15, most: 3 },
]

describe('allowed lines', () => {
  test.each(plans)(
    'have no effect that the policy rules out: $property',
    async (plan) => {
      const report = await campaign({ ...plan, seed })
      expect(report.found, explain(report, seed)).toEqual([])
    },
    300_000,
  )
})

test('decides on a command of 16 KiB at once', async () => {
  const workspace = folder('keep')
  const roots = rootsOf(workspace, { protected: [`${workspace}/keep`] })
  const policy = policyOf(workspace, { mode: 'unrestricted', rules: [deny('evil')], roots })
  const random = rng(seed)
  const slow: string[] = []
  await timeOf('ls | wc', policy, 0)
  for (let i = 0; i < rounds(20, 60); i++) {
    const line = worstLine(random)
    const spent = await timeOf(line, policy, 50)
    if (spent > 50) slow.push(`${Math.round(spent)} ms: ${shapeOf(line)}`)
  }
  remove(workspace)
  expect(slow).toEqual([])
}, 120_000)

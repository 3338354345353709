// The gate's promise over many generated lines: what it allows, run for real, has none of the effects it rules out.
import { expect, test } from 'vitest'
import { campaign, explain, type Plan, totals } from '../support/shell-fuzz/campaign.ts'
import { long, report, seed } from './store/start.ts'

/**
 * 320,000 lines, or as many as ANODE_FAULTS says; a tenth of those that are allowed is run, and all that have bait in
 * them. A thousand lines take some seconds.
 */
const plans: readonly Omit<Plan, 'seed'>[] = [
  { property: 'harmless', lines: 60_000, share: 0.1, baited: 1, most: 20 },
  { property: 'harmless', focus: 'bundling', lines: 20_000, share: 0.3, baited: 0.3, most: 20 },
  { property: 'harmless-trusted', lines: 120_000, share: 0.1, baited: 1, most: 20 },
  { property: 'deny', lines: 70_000, share: 0.1, baited: 1, most: 20 },
  { property: 'allow', lines: 50_000, share: 0.1, baited: 1, most: 20 },
]

/** A number of rounds as other tests take it is not a number of lines. */
const asked = Number(process.env['ANODE_FAULTS'])
const scale = asked >= 1_000 ? asked / 320_000 : 1

// the short form is test/internal/policy/shell-effects.test.ts
test.runIf(long()).each(plans)(
  'allowed lines have no effect: $property $focus',
  async (plan) => {
    const from = Number(process.env['ANODE_SEED'] ?? seed)
    const started = Date.now()
    const onProgress = (tried: number, ran: number, effects: number) =>
      console.log(
        `${plan.property}: ${tried} of ${lines} lines, ${ran} run, ${effects} effects, ${Math.round((Date.now() - started) / 1_000)} s`,
      )
    const lines = Math.ceil(plan.lines * scale)
    const found = await campaign({ ...plan, lines, seed: from, onProgress })
    const { ran } = totals(found)
    console.log(explain(found, from))
    report(`shell lines, ${plan.property}, ANODE_SEED ${from}`, ran - found.found.length - found.more, ran)
    expect(found.found, explain(found, from)).toEqual([])
  },
  12 * 3_600_000,
)

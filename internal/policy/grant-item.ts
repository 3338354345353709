// Decision items for paths that a call requests for the sandbox of its command.
import {
  type DecisionContext,
  type DecisionItem,
  type ItemLimit,
  makeReason,
  matchCertainly,
  mayRun,
  rulesPlace,
} from './decision-item.ts'
import { judgeOperand, type ResolvedPath } from './paths/path-jail.ts'
import type { DecisionReason } from './policy.ts'

/**
 * Returns the item of a path outside the workspace that a command wants to write. Without a rule that allows
 * the path, the item needs approval as commands do. Protected and sensitive paths are denied.
 */
export function grantItem(place: ResolvedPath, context: DecisionContext): DecisionItem {
  const { policy, rules } = context
  const fitting = rules.filter((rule) => rule.path !== undefined && rulesPlace(rule, place, context))
  const judged = judgeOperand(place, 'write', policy.roots)
  const limits: ItemLimit[] =
    judged === undefined
      ? []
      : [{ action: 'deny', by: 'path', text: judged.text, code: judged.code ?? 'denied' }]
  const name = `write ${place.shown}`
  const base: DecisionReason = {
    ...makeReason('wall', mayRun(policy), `the command asks to write ${place.shown}`),
    cause: 'grant',
  }
  return { kind: 'place', name, limits, rules: matchCertainly(fitting), base, place }
}

// The first line of a decision: what the call does, and what decided it.
import type { FailureCode } from '../base/errors.ts'
import type { Level, PermissionAction } from './level.ts'
import { describeAction, describeLevel } from './permission-wording.ts'
import type { DecisionCause, DecisionReason, Policy, PolicyCall } from './policy.ts'
import { baselineAction, effectiveMode } from './presets.ts'

/** Causes of a decision as noun phrases that follow the words "asks for". */
export const causes: Readonly<Record<DecisionCause, string>> = {
  network: 'connections to the network',
  host: 'requests to a host that is not approved yet',
  history: 'commands that change the repository or its history',
  publishing: 'commands that publish',
  deletion: 'deletions that cannot be undone',
  grant: 'writes outside of the sandbox',
  unread: 'commands that cannot be read whole',
  untrusted: 'commands that obey files of an untrusted workspace',
  unconfined: 'tests and builds without a sandbox',
  unsearched: 'commands that may read directories that were not searched',
  secret: 'files that may contain secrets',
  protected: 'protected places',
  outside: 'places outside of the workspace',
  rule: 'calls that a rule names',
}

const causeOfCode: Readonly<Partial<Record<FailureCode, DecisionCause>>> = {
  sensitive_path: 'secret',
  protected_path: 'protected',
  outside_workspace: 'outside',
}

type Deciding = DecisionReason & { code?: FailureCode }

/**
 * Describes a call and what decided it. `deciding` contains the reasons with the action of
 * the whole decision.
 */
export function describeDecision(
  { level, does: own }: Pick<PolicyCall, 'level' | 'does'>,
  policy: Policy,
  action: PermissionAction,
  deciding: readonly Deciding[],
): string {
  const does = own ?? describeAction(level)
  const usual = describeLevel(level, policy, own)
  const who = policy.preset === undefined ? `mode ${effectiveMode(policy.mode, policy.preset)}` : undefined
  if (action === 'allow') return describeAllowed(does, usual, level, policy, deciding)
  if (deciding.length === 0 || deciding.some((reason) => isUsual(reason, level, policy))) return usual
  const found = new Set(deciding.map(causeOf).filter((cause) => cause !== undefined))
  if (found.size === 0) return usual
  if (found.size === 1 && found.has('rule'))
    return `${does}; ${action === 'deny' ? 'a rule denies this call' : 'a rule asks for approval'}`
  const things = [...found].map((cause) => causes[cause])
  const list =
    things.length < 3 ? things.join(' and ') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`
  if (action === 'deny') return `${does}; ${list} are denied`
  return `${does}; ${who ?? `preset ${policy.preset}`} asks for ${list}`
}

function describeAllowed(
  does: string,
  usual: string,
  level: Level,
  policy: Policy,
  deciding: readonly Deciding[],
): string {
  if (deciding.some(({ by }) => by === 'wall'))
    return `${does}; mode auto allows commands that the sandbox contains`
  const isOpen = baselineAction(level, policy.mode, policy.preset) === 'allow'
  return !isOpen && deciding.some(({ by }) => by === 'rule') ? `${does}; a rule allows this call` : usual
}

function causeOf({ by, code, cause }: Deciding): DecisionCause | undefined {
  return by === 'rule' ? 'rule' : (cause ?? (code && causeOfCode[code]))
}

/**
 * Returns true if the mode needs approval for every call of this level, or if the reason has no cause and is
 * not about a path. Then no cause is shown.
 */
function isUsual(reason: Deciding, level: Level, { mode, preset }: Policy): boolean {
  if (causeOf(reason) === undefined) return reason.by !== 'path'
  const asksForAll = level === 'confirm_execute' && (mode !== 'auto' || preset !== undefined)
  return asksForAll && reason.by === 'shell'
}

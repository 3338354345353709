// Descriptions of levels, modes, decisions and offered rules for users who have not read the manual.

import type { FailureCode } from '../base/errors.ts'
import { baselineAction, effectiveMode, type Level, type Mode, type PermissionAction } from './level.ts'
import type { DecisionCause, DecisionReason, Policy, PolicyCall } from './policy.ts'

const does: Readonly<Record<Level, string>> = {
  auto_read: 'reads files or records of this workspace',
  external_read: 'reads from outside or asks a model',
  state_write: "changes Anode's own records, none of your files",
  delegated: 'starts another agent, whose own calls are decided one by one',
  confirm_write: 'writes a file',
  confirm_execute: 'runs a command',
  interactive: 'asks you a question',
}

const asks: Readonly<Partial<Record<Level, string>>> = {
  confirm_write: 'asks for every write',
  confirm_execute: 'asks for every command',
}

/** Describes what a call of this level does. */
export const describeAction = (level: Level): string => does[level]

/**
 * Describes what a call of this level does, and whether mode and preset allow it. `ownText` replaces the
 * description of the level.
 */
export function describeLevel(level: Level, policy: Policy, ownText?: string): string {
  const action = ownText ?? does[level]
  const decided = baselineAction(level, policy.mode, policy.preset)
  const mode = effectiveMode(policy.mode, policy.preset)
  const who = policy.preset === undefined ? `mode ${mode}` : `preset ${policy.preset}`
  if (decided === 'deny') return `${action}; ${who} denies that unless a rule allows it`
  if (decided === 'allow') return `${action}; ${who} allows that`
  const usual = ownText === undefined ? asks[level] : undefined
  const exception = ownText === undefined ? describeException(level, mode, policy) : undefined
  return `${action}; ${who} ${exception || usual || 'asks first'}`
}

function describeException(level: Level, mode: Mode, policy: Policy): string | undefined {
  if (policy.preset !== undefined || mode === 'ask') return undefined
  if (level === 'confirm_write') return 'asks for writes other than edits of ordinary files in the workspace'
  if (level !== 'confirm_execute' || mode !== 'auto') return undefined
  return 'asks for commands not known to only read, test or build'
}

/** Explains why a call that no rule matches needs approval or not: what it does, then the mode. */
export function explainCall({ tool, level, does: ownText }: PolicyCall, policy: Policy): string {
  return `${tool} ${describeLevel(level, policy, ownText)}`
}

/** Describes a directory in the words of the screens; `.` is the workspace. */
export function describeFolder(folder: string): string {
  return folder === '.' ? 'the workspace folder' : `the folder ${folder}`
}

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

type DecidingReason = DecisionReason & { code?: FailureCode }

/**
 * Describes a call and what decided it. `deciding` contains the reasons with the action of
 * the whole decision.
 */
export function describeDecision(
  { level, does: ownText }: Pick<PolicyCall, 'level' | 'does'>,
  policy: Policy,
  action: PermissionAction,
  deciding: readonly DecidingReason[],
): string {
  const does = ownText ?? describeAction(level)
  const usual = describeLevel(level, policy, ownText)
  const who = policy.preset === undefined ? `mode ${effectiveMode(policy.mode, policy.preset)}` : undefined
  if (action === 'allow') return describeAllowed(does, usual, level, policy, deciding)
  if (deciding.length === 0 || deciding.some((reason) => isUsual(reason, level, policy))) return usual
  const reasonCauses = new Set(deciding.map(causeOf).filter((cause) => cause !== undefined))
  if (reasonCauses.size === 0) return usual
  if (reasonCauses.size === 1 && reasonCauses.has('rule'))
    return `${does}; ${action === 'deny' ? 'a rule denies this call' : 'a rule asks for approval'}`
  const things = [...reasonCauses].map((cause) => causes[cause])
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
  deciding: readonly DecidingReason[],
): string {
  if (deciding.some(({ by }) => by === 'wall'))
    return `${does}; mode auto allows commands that the sandbox contains`
  const isOpen = baselineAction(level, policy.mode, policy.preset) === 'allow'
  return !isOpen && deciding.some(({ by }) => by === 'rule') ? `${does}; a rule allows this call` : usual
}

function causeOf({ by, code, cause }: DecidingReason): DecisionCause | undefined {
  return by === 'rule' ? 'rule' : (cause ?? (code && causeOfCode[code]))
}

/**
 * Returns true if the reason has no cause and is not about a path, or if it is about the command itself and
 * the mode or preset needs approval for every command. Then no cause is shown.
 */
function isUsual(reason: DecidingReason, level: Level, { mode, preset }: Policy): boolean {
  if (causeOf(reason) === undefined) return reason.by !== 'path'
  const asksForAll = level === 'confirm_execute' && (mode !== 'auto' || preset !== undefined)
  return asksForAll && reason.by === 'shell'
}

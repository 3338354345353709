// What people are told about levels, modes and offered rules, in words that need no manual.
import type { Level, Mode } from './level.ts'
import type { Policy, PolicyCall } from './policy.ts'
import { baselineAction, effectiveMode } from './presets.ts'

const does: Readonly<Record<Level, string>> = {
  auto_read: 'reads files or records of this workspace',
  external_read: 'reads from outside or asks a model',
  state_write: "changes Anode's own records, no files of yours",
  delegated: 'starts another agent, whose own calls are decided one by one',
  confirm_write: 'writes a file',
  confirm_execute: 'runs a command',
  interactive: 'asks you a question',
}

const asks: Readonly<Partial<Record<Level, string>>> = {
  confirm_write: 'asks for every write',
  confirm_execute: 'asks for every command',
}

/** What a call of this level does. */
export const describeAction = (level: Level): string => does[level]

/** What a call of this level does, and what mode and preset make of it. */
export function describeLevel(level: Level, policy: Policy): string {
  const action = baselineAction(level, policy.mode, policy.preset)
  const mode = effectiveMode(policy.mode, policy.preset)
  const who = policy.preset === undefined ? `mode ${mode}` : `preset ${policy.preset}`
  if (action === 'deny') return `${does[level]}; ${who} denies that unless a rule allows it`
  if (action === 'allow') return `${does[level]}; ${who} allows that`
  return `${does[level]}; ${who} ${exception(level, mode, policy) ?? asks[level] ?? 'asks first'}`
}

function exception(level: Level, mode: Mode, policy: Policy): string | undefined {
  if (policy.preset !== undefined || mode === 'ask') return undefined
  if (level === 'confirm_write') return 'asks for writes other than edits of ordinary files in the workspace'
  if (level !== 'confirm_execute' || mode !== 'auto') return undefined
  return 'asks for commands not known to only read, test or build'
}

/** Why a call that no rule speaks of is asked about or not: what it does, then the mode. */
export function explainCall({ tool, level }: PolicyCall, policy: Policy): string {
  return `${tool} ${describeLevel(level, policy)}`
}

/** A folder of the workspace as people call it. */
export function describeFolder(folder: string): string {
  return folder === '.' ? 'the workspace folder' : `the folder ${folder}`
}

// Descriptions of levels, modes and offered rules for users who have not read the manual.
import type { Level, Mode } from './level.ts'
import type { Policy, PolicyCall } from './policy.ts'
import { baselineAction, effectiveMode } from './presets.ts'

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

/** Describes what a call of this level does, and whether mode and preset allow it. */
export function describeLevel(level: Level, policy: Policy, own?: string): string {
  const action = own ?? does[level]
  const decided = baselineAction(level, policy.mode, policy.preset)
  const mode = effectiveMode(policy.mode, policy.preset)
  const who = policy.preset === undefined ? `mode ${mode}` : `preset ${policy.preset}`
  if (decided === 'deny') return `${action}; ${who} denies that unless a rule allows it`
  if (decided === 'allow') return `${action}; ${who} allows that`
  const usual = own === undefined ? asks[level] : undefined
  return `${action}; ${who} ${(own === undefined && exception(level, mode, policy)) || usual || 'asks first'}`
}

function exception(level: Level, mode: Mode, policy: Policy): string | undefined {
  if (policy.preset !== undefined || mode === 'ask') return undefined
  if (level === 'confirm_write') return 'asks for writes other than edits of ordinary files in the workspace'
  if (level !== 'confirm_execute' || mode !== 'auto') return undefined
  return 'asks for commands not known to only read, test or build'
}

/** Explains why a call that no rule matches needs approval or not: what it does, then the mode. */
export function explainCall({ tool, level, does: own }: PolicyCall, policy: Policy): string {
  return `${tool} ${describeLevel(level, policy, own)}`
}

/** Describes a directory of the workspace in the words of the screens. */
export function describeFolder(folder: string): string {
  return folder === '.' ? 'the workspace folder' : `the folder ${folder}`
}

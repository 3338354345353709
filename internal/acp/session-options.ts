// The choices of a session as modes and options of the protocol: profile, model, approval.
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk/unstable'
import { modes } from '../policy/level.ts'
import type { SessionCommand } from '../session/commands.ts'
import type { ChosenSettings } from '../session/snapshot.ts'
import type { NamedChoice } from './acp-backend.ts'

export interface OfferedChoices {
  profiles: readonly NamedChoice[]
  /** Models that can be used now; empty until the session has listed them. */
  models: readonly NamedChoice[]
  /** Skills, command files and prompts of MCP servers that can follow a slash. */
  skills: readonly NamedChoice[]
}

export function listModes({ profile }: ChosenSettings, { profiles }: OfferedChoices): SessionModeState {
  return {
    currentModeId: profile,
    availableModes: withCurrent(profiles, profile).map(({ name, about }) => ({
      id: name,
      name,
      description: about || undefined,
    })),
  }
}

const approvals: Readonly<Record<ChosenSettings['mode'], string>> = {
  ask: 'Every change and command is asked for',
  edits: 'Edits in the workspace are made without asking',
  auto: 'Known harmless and building commands run without asking too',
  unrestricted: 'Nothing is asked; deny rules hold',
  plan: 'A plan first: only its file is written',
}

export function listConfigOptions(settings: ChosenSettings, offered: OfferedChoices): SessionConfigOption[] {
  const { profile, model, mode } = settings
  const approval = [...modes, 'plan' as const].map((name) => ({ name, about: approvals[name] }))
  return [
    selectOption('mode', 'Profile', 'mode', profile, offered.profiles),
    selectOption('model', 'Model', 'model', model.id, offered.models),
    selectOption('approval', 'Approval', '_approval', mode, approval),
  ]
}

function selectOption(
  id: string,
  name: string,
  category: string,
  current: string,
  choices: readonly NamedChoice[],
): SessionConfigOption {
  const options = withCurrent(choices, current).map((choice) => ({
    value: choice.name,
    name: choice.name,
    description: choice.about || undefined,
  }))
  return { type: 'select', id, name, category, currentValue: current, options }
}

/** Returns the choices, with the current value first if they do not contain it. */
function withCurrent(choices: readonly NamedChoice[], current: string): readonly NamedChoice[] {
  return choices.some(({ name }) => name === current) ? choices : [{ name: current, about: '' }, ...choices]
}

/**
 * Returns the command for a choice; undefined for an unknown option or approval mode, and for a value that is
 * empty or not a text. Whether a profile or model exists is not checked here.
 */
export function readConfigChoice(id: string, value: unknown): SessionCommand | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  if (id === 'mode') return { type: 'set_profile', name: value }
  if (id === 'model') return { type: 'set_model', model: value }
  const mode = [...modes, 'plan' as const].find((one) => one === value)
  return id === 'approval' && mode ? { type: 'set_mode', mode } : undefined
}

// The items of the command palette and of the lists of models and profiles, and the facts about a thread in
// the list of threads.
import { countNoun } from '../../base/text/count-noun.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionChoices, ThreadSummary } from '../../session/client.ts'
import { type KeyMap, type SessionAction, sessionActions } from '../input/key-map.ts'
import { showKey } from '../input/key-press.ts'
import { type NamedSkill, slashCommands } from '../input/slash-command.ts'
import type { PickerItem } from './picker.ts'

type PaletteChoice = { kind: 'action'; name: SessionAction } | { kind: 'command'; name: string }

export function paletteItems(keys: KeyMap, skills: readonly NamedSkill[] = []): PickerItem<PaletteChoice>[] {
  const actions = Object.entries(sessionActions) as [SessionAction, { about: string }][]
  return [
    ...slashCommands.map(({ name, argument, about }) => ({
      value: { kind: 'command' as const, name },
      label: `/${name} ${argument}`.trimEnd(),
      about,
    })),
    ...skills.map(({ name, about }) => ({
      value: { kind: 'command' as const, name },
      label: `/${name} ${name.includes(':') ? '[ARGS]' : '[INPUT]'}`,
      about,
    })),
    ...actions.map(([name, { about }]) => ({
      value: { kind: 'action' as const, name },
      label: keys.keysOf(name).map(showKey).join(', ') || name,
      about,
    })),
  ]
}

export function choiceItems(choices: SessionChoices['models']): PickerItem<string>[] {
  return choices.map(({ name, about, unusable }) => ({ value: name, label: name, about, unusable }))
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const

/** Returns an age in words, rounded down, for example `3 hours ago`; `just now` if it is below a minute. */
export function formatAge(ms: number): string {
  const [size, noun] = units.find(([unit]) => ms >= unit) ?? [0, '']
  if (size === 0) return 'just now'
  return `${countNoun(Math.floor(ms / size), noun)} ago`
}

/** Returns age, profile, number of events and, if known, the branch of a thread, each as a text. */
export const threadFacts = ({ updated, profile, events, branch }: ThreadSummary, now: number): string[] => [
  formatAge(now - updated),
  sanitizeText(profile),
  countNoun(events, 'event'),
  ...(branch === undefined ? [] : [sanitizeText(branch)]),
]

// The actions of a session and the keys for them, which the user can change with the setting `ui.keys`.
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { normalizeKey, showKey } from './key-press.ts'

interface ActionRow {
  about: string
  keys: readonly string[]
}

/** All actions with their descriptions and default keys. */
export const sessionActions = {
  send: { about: 'send; steer an active run', keys: ['enter'] },
  complete: { about: 'complete, else answer, else queue', keys: ['tab'] },
  newLine: { about: 'new line', keys: ['shift-enter', 'alt-enter', 'ctrl-j'] },
  cycleMode: { about: 'next mode: ask, auto, plan', keys: ['shift-tab'] },
  back: { about: 'close, else stop the run; twice: rewind to a message', keys: ['escape'] },
  clearOrLeave: { about: 'clear the text, else stop the run, else leave', keys: ['ctrl-c'] },
  leave: { about: 'leave, when the editor is empty', keys: ['ctrl-d'] },
  suspend: { about: 'suspend', keys: ['ctrl-z'] },
  palette: { about: 'all actions and commands', keys: ['ctrl-p'] },
  transcript: { about: 'the whole conversation, with all results', keys: ['ctrl-o'] },
  showTasks: { about: 'todo list and agents', keys: ['ctrl-t'] },
  searchHistory: { about: 'search earlier messages', keys: ['ctrl-r'] },
  putAside: { about: 'stash the text, or restore it', keys: ['ctrl-s'] },
  editor: { about: 'edit the text in your editor', keys: ['ctrl-g'] },
  pastePicture: { about: 'paste an image from the clipboard', keys: ['ctrl-v', 'alt-v'] },
  redraw: { about: 'redraw', keys: ['ctrl-l'] },
  older: { about: 'previous message; in an empty editor the queued one', keys: ['up'] },
  newer: { about: 'next message', keys: ['down'] },
  help: { about: 'these keys; also ? in an empty editor', keys: ['f1'] },
} as const satisfies Readonly<Record<string, ActionRow>>

export type SessionAction = keyof typeof sessionActions

export interface KeyMap {
  /** Returns the action of a key; undefined for a key that types or edits. */
  actionOf(key: string): SessionAction | undefined
  keysOf(action: SessionAction): readonly string[]
}

export type KeyOverrides = Readonly<Record<string, string | readonly string[]>>

const names = Object.keys(sessionActions) as SessionAction[]
const isAction = (name: string): name is SessionAction => Object.hasOwn(sessionActions, name)

/**
 * Returns the map of keys with the user's overrides. If any override is invalid, returns a list of
 * all problems instead.
 */
export function buildKeyMap(
  overrides: KeyOverrides = {},
): { kind: 'map'; map: KeyMap } | { kind: 'problems'; problems: string[] } {
  const problems: string[] = []
  const userKeys = new Map<SessionAction, string[]>()
  for (const [name, value] of Object.entries(overrides)) {
    if (isAction(name)) userKeys.set(name, readKeys(name, value, problems))
    else problems.push(`ui.keys: unknown action "${name}"; ${nearestTo(name)}`)
  }
  const keys = new Map(names.map((name) => [name, userKeys.get(name) ?? freeKeys(name, userKeys)]))
  const owners = new Map<string, SessionAction>()
  for (const [name, list] of keys) {
    for (const key of list) {
      const owner = owners.get(key)
      if (owner !== undefined && owner !== name)
        problems.push(`ui.keys: ${showKey(key)} is used for both ${owner} and ${name}`)
      owners.set(key, name)
    }
  }
  for (const name of ['send', 'back'] as const) {
    if (problems.length === 0 && keys.get(name)?.length === 0) problems.push(`ui.keys: ${name} needs a key`)
  }
  if (problems.length > 0) return { kind: 'problems', problems }
  const map = {
    actionOf: (key: string) => owners.get(key),
    keysOf: (name: SessionAction) => keys.get(name) ?? [],
  }
  return { kind: 'map', map }
}

const nearestTo = (name: string) => suggestNames(name, names) || `the actions are ${names.join(', ')}`

function readKeys(name: string, value: string | readonly string[], problems: string[]): string[] {
  const list = typeof value === 'string' ? [value] : value
  return list.flatMap((written) => {
    const key = normalizeKey(written)
    const sentKey = key === undefined ? undefined : sentAs[key]
    if (key === undefined)
      problems.push(`ui.keys: ${written} of ${name} is not a key; write it as ctrl-p or f2`)
    else if (sentKey !== undefined)
      problems.push(`ui.keys: ${written} of ${name} is ${showKey(sentKey)} to a terminal; write ${sentKey}`)
    else if (isTyped(key)) problems.push(`ui.keys: ${written} of ${name} is needed for typing`)
    else return [key]
    return []
  })
}

/**
 * Keys for which terminals send the same byte as for another key, which is the value. Such a key therefore
 * never arrives under the first name.
 */
const sentAs: Readonly<Record<string, string>> = {
  'ctrl-m': 'enter',
  'ctrl-i': 'tab',
  'ctrl-[': 'escape',
  'ctrl-h': 'backspace',
}

const isTyped = (key: string) => key === 'space' || key === 'backspace' || /^(shift-)?.$/u.test(key)

/** Returns the default keys of an action without those that the user gave to another action. */
function freeKeys(name: SessionAction, userKeys: ReadonlyMap<SessionAction, readonly string[]>): string[] {
  const takenKeys = new Set([...userKeys.values()].flat())
  return sessionActions[name].keys.filter((key) => !takenKeys.has(key))
}

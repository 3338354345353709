// What is set up from within a session: models and their keys, the mode, trust in the workspace.
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { modes } from '../../policy/level.ts'
import type { TrustView } from '../../session/client.ts'
import { effortLevels } from '../../session/commands.ts'
import type { SessionMode } from '../../session/snapshot.ts'
import { choiceItems } from '../dialog/palette.ts'
import { askChoice, askEntry, openPickerDialog } from '../inline/dialogs.ts'
import { type InlineState, lookOf, showHint } from '../inline/inline-state.ts'
import { sendCommand } from '../inline/send-command.ts'
import { themeAbout, themes } from '../view/themes.ts'

const modeAbout: Readonly<Record<SessionMode, string>> = {
  plan: 'makes a plan first: nothing else is written',
  ask: 'asks before everything that changes something',
  edits: 'edits files without asking',
  auto: 'asks only for what may do harm',
  unrestricted: 'asks for nothing',
}

const sessionModes: readonly SessionMode[] = ['plan', ...modes]

export function setMode(state: InlineState, argument: string): void {
  const set = (mode: SessionMode) => void sendCommand(state, { type: 'set_mode', mode })
  const named = sessionModes.find((mode) => mode === argument)
  if (named === 'unrestricted') confirmUnrestricted(state, () => set(named))
  else if (named) set(named)
  else if (argument === '') pickMode(state)
  else {
    const near = suggestNames(argument, sessionModes) || sessionModes.join(', ')
    showHint(state, `there is no mode ${argument}; ${near}`)
  }
}

type Effort = (typeof effortLevels)[number]

/** Models take the nearest level that they know. */
export function setEffort(state: InlineState, level: string): void {
  const set = (effort: Effort) => void sendCommand(state, { type: 'set_effort', effort })
  const named = effortLevels.find((effort) => effort === level)
  if (named) set(named)
  else if (level !== '') showHint(state, `there is no level ${level}; ${effortLevels.join(', ')}`)
  else {
    const items = effortLevels.map((effort) => ({
      value: effort,
      label: effort,
      about: effortAbout[effort] ?? '',
    }))
    openPickerDialog(state, 'Effort', items, (effort) => setEffort(state, effort), state.view.effort)
  }
}

const effortAbout: Partial<Record<Effort, string>> = {
  none: 'answers at once',
  medium: 'what most profiles ask for',
  max: 'slow and dear',
}

/** Without a name the other one. */
export function setForm(state: InlineState, name: string): void {
  const form = name === '' ? (state.form === 'full' ? 'inline' : 'full') : name
  if (form !== 'inline' && form !== 'full') {
    showHint(state, `${form} is no form to change to; inline, full (plain is chosen at the start)`)
    return
  }
  state.form = form
  state.screen.changed(true)
}

/** For this screen; `ui.theme` keeps it. */
export function setTheme(state: InlineState, name: string): void {
  const named = themes.find((theme) => theme === name)
  if (named) {
    state.theme = named
    state.wide = lookOf(state.io, state.size.columns, named)
    state.screen.changed(true)
  } else if (name === '') {
    const items = themes.map((theme) => ({ value: theme, label: theme, about: themeAbout[theme] }))
    openPickerDialog(state, 'Theme', items, (theme) => setTheme(state, theme), state.theme)
  } else showHint(state, `there is no theme ${name}; ${themes.join(', ')}`)
}

/** Ask, auto, plan, and ask again. */
export function cycleMode(state: InlineState): void {
  const next = { ask: 'auto', auto: 'plan', plan: 'ask', edits: 'auto', unrestricted: 'ask' } as const
  void sendCommand(state, { type: 'set_mode', mode: next[state.view.mode] })
}

function pickMode(state: InlineState): void {
  const items = sessionModes.map((mode) => ({ value: mode, label: mode, about: modeAbout[mode] }))
  openPickerDialog(state, 'Mode', items, (mode) => setMode(state, mode), state.view.mode)
}

/** The one mode in which nothing is asked takes a typed word. */
function confirmUnrestricted(state: InlineState, set: () => void): void {
  const lines = [
    'From now on nothing is asked, whatever the model or what it reads wants done.',
    'Type yes to go on.',
  ]
  askEntry(state, { title: 'Ask for nothing any more', lines, isSecret: false }, (text) => {
    if (text === 'yes') set()
    else showHint(state, 'the mode stays as it is')
  })
}

export async function chooseProfile(state: InlineState, name: string): Promise<void> {
  const set = (value: string) => void sendCommand(state, { type: 'set_profile', name: value })
  if (name !== '') return set(name)
  const { profiles } = await state.service.readChoices()
  openPickerDialog(state, 'Profile', choiceItems(profiles), set, state.view.profile)
}

/** A model whose provider has no key yet asks for it. */
export async function chooseModel(state: InlineState, name: string): Promise<void> {
  const set = (value: string) => void sendCommand(state, { type: 'set_model', model: value })
  if (name !== '') return set(name)
  const { models } = await state.service.readChoices()
  const needKey = new Set(models.flatMap(({ name, needsKey }) => (needsKey ? [name] : [])))
  const asks = (value: string) => state.service.saveProvider !== undefined && needKey.has(value)
  const items = choiceItems(models).map((item) => {
    if (!asks(item.value)) return item
    const { value, label } = item
    return { value, label, about: 'no key yet: Enter asks for it' }
  })
  const pick = (value: string) => (asks(value) ? askKey(state, value) : set(value))
  openPickerDialog(state, 'Model', items, pick, state.view.model.id)
}

/** The key is seen by nobody, and is in no event, draft or history. */
function askKey(state: InlineState, model: string): void {
  const provider = model.split('/', 1)[0] ?? model
  const lines = [
    `${provider} needs a key. Paste it here: it is not shown, it is tried once with a short request, ` +
      'and kept in a file that only you can read. A variable of the environment works as well.',
  ]
  askEntry(state, { title: `Key of ${provider}`, lines, isSecret: true }, async (key) => {
    if (key === '') return
    showHint(state, `asks ${provider} whether it takes the key`, 30_000)
    const reply = await state.service.saveProvider?.({ provider, key })
    if (!reply) return
    showHint(state, reply.ok ? (reply.message ?? 'the key is kept') : reply.message, 10_000)
    if (reply.ok) await sendCommand(state, { type: 'set_model', model })
  })
}

/** What the workspace brings is shown whole before `t` counts. */
export async function askTrust(state: InlineState): Promise<void> {
  const trust = await state.service.readTrust?.()
  if (trust) openTrustChoice(state, trust, false)
  else showHint(state, 'trust is decided where the session runs')
}

/** `isOffered`: nobody has asked for it. */
export function openTrustChoice(state: InlineState, trust: TrustView, isOffered: boolean): void {
  const { service, view, screen } = state
  const { files, digest } = trust
  if (trust.state === 'trusted') {
    showHint(state, 'this workspace is trusted; `anode trust --revoke` ends it')
    return
  }
  const lines = [
    {
      text:
        files.length === 0
          ? 'This workspace brings no configuration and no programs.'
          : 'This workspace brings files that may start programs as you:',
    },
    ...files.map((text) => ({ text, foreign: true })),
    { text: 'Once it is trusted they count, and its tests and builds run unasked in mode auto.' },
  ]
  const answers = [
    { key: 't', label: 'trust it', isLast: true },
    { key: 'n', label: 'not now' },
  ]
  askChoice(state, { title: 'Trust this workspace', lines, answers, isOffered }, async (key) => {
    if (key !== 't') return
    const reply = await service.grantTrust?.(digest)
    if (!reply?.ok) return showHint(state, reply?.message ?? '', 10_000)
    // a session knows what the workspace brought when it was opened
    screen.open(
      view.pos === 0 ? { kind: 'new' } : { kind: 'resume', thread: view.thread },
      state.editor.text(),
    )
  })
}

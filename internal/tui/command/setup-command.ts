// The settings that a user can change within a session: model, key, effort, profile, mode
// and workspace trust.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { modes } from '../../policy/level.ts'
import type { TrustView } from '../../session/client.ts'
import { effortLevels, type SessionCommand } from '../../session/commands.ts'
import type { SessionMode } from '../../session/snapshot.ts'
import { choiceItems } from '../dialog/palette.ts'
import { shownItems } from '../dialog/picker.ts'
import { listTrustFileLines } from '../view/trust-lines.ts'
import type { CommandScreen } from './command-screen.ts'

const modeAbout: Readonly<Record<SessionMode, string>> = {
  plan: 'plans first and writes nothing else',
  ask: 'asks before every change',
  edits: 'edits files without asking',
  auto: 'asks only before risky actions',
  unrestricted: 'never asks',
}

/** Sends a command that changes a setting. The screen reports a rejected command. */
async function sendSetting(screen: CommandScreen, command: SessionCommand): Promise<void> {
  await screen.send(command)
}

const sessionModes: readonly SessionMode[] = ['plan', ...modes]

export function setMode(screen: CommandScreen, argument: string): void | Promise<void> {
  const set = (mode: SessionMode) => sendSetting(screen, { type: 'set_mode', mode })
  const named = sessionModes.find((mode) => mode === argument)
  if (named === 'unrestricted') return confirmUnrestricted(screen, () => set(named))
  if (named) return set(named)
  if (argument === '') return pickMode(screen)
  const near = suggestNames(argument, sessionModes) || sessionModes.join(', ')
  screen.tell(`unknown mode "${argument}"; ${near}`)
}

type EffortLevel = (typeof effortLevels)[number]

/**
 * Sets the effort of thinking, or lets the user pick a level if `level` is empty. An unknown level only shows
 * a hint. A model uses the nearest level that it supports.
 */
export function setEffort(screen: CommandScreen, level: string): void | Promise<void> {
  const set = (effort: EffortLevel) => sendSetting(screen, { type: 'set_effort', effort })
  const named = effortLevels.find((effort) => effort === level)
  if (named) return set(named)
  if (level !== '') return screen.tell(`unknown effort "${level}"; ${effortLevels.join(', ')}`)
  const items = effortLevels.map((effort) => ({
    value: effort,
    label: effort,
    about: effortAbout[effort] ?? '',
  }))
  screen.pick('Effort', items, (effort) => setEffort(screen, effort), { current: screen.view.effort })
}

const effortAbout: Partial<Record<EffortLevel, string>> = {
  none: 'no reasoning',
  medium: 'default of most profiles',
  max: 'slow and expensive',
}

/**
 * Switches the permission mode: from ask or edits to auto, from auto to plan, and from plan or
 * unrestricted to ask.
 */
export function cycleMode(screen: CommandScreen): void {
  const next = { ask: 'auto', auto: 'plan', plan: 'ask', edits: 'auto', unrestricted: 'ask' } as const
  void sendSetting(screen, { type: 'set_mode', mode: next[screen.view.mode] })
}

function pickMode(screen: CommandScreen): void {
  const items = sessionModes.map((mode) => ({ value: mode, label: mode, about: modeAbout[mode] }))
  screen.pick('Mode', items, (mode) => setMode(screen, mode), { current: screen.view.mode })
}

/**
 * Asks the user to type a word before the mode `unrestricted` is set, because in this mode calls
 * run without approval.
 */
function confirmUnrestricted(screen: CommandScreen, set: () => Promise<void>): void {
  const lines = [
    'From now on every call runs without approval, even if text that the model reads causes it.',
    'Type yes to confirm.',
  ]
  screen.enter({ title: 'Never ask for approval', lines, isSecret: false }, (text) => {
    if (text === 'yes') return set()
    screen.tell('the mode is unchanged')
  })
}

export async function chooseProfile(screen: CommandScreen, name: string): Promise<void> {
  const set = (value: string) => sendSetting(screen, { type: 'set_profile', name: value })
  if (name !== '') return set(name)
  const { profiles } = await screen.service.readChoices()
  screen.pick('Profile', choiceItems(profiles), set, { current: screen.view.profile })
}

/**
 * Sets the model, or lets the user pick one if `name` is empty or only a part of listed names, which filters
 * the list. The name of a provider sets its first listed model if that is usable. A name with a slash, a
 * comma or a colon, or one that matches no listed name, is set even if it is not listed. If the provider has
 * no key, asks for one where it can be typed without being shown; not for a name with a comma or a colon.
 */
export async function chooseModel(screen: CommandScreen, name: string): Promise<void> {
  const set = (value: string) => sendSetting(screen, { type: 'set_model', model: value })
  // The picker does not list combinations of models or files with models, so such a name is set directly.
  if (/[,:]/.test(name)) return set(name)
  const { service, hidesEntries } = screen
  const { models } = await service.readChoices()
  const providerOf = (model: string) => model.split('/', 1)[0]
  const needKey = new Set(models.flatMap(({ name, needsKey }) => (needsKey ? [providerOf(name)] : [])))
  const canAsk = hidesEntries && service.saveProvider !== undefined
  const asks = (value: string) => canAsk && needKey.has(providerOf(value))
  const items = choiceItems(models).map((item) => {
    if (!asks(item.value)) return item
    const { value, label } = item
    return { value, label, about: `${item.about}: Enter asks for it` }
  })
  const pick = (value: string) => (asks(value) ? askKey(screen, value) : set(value))
  const named = items.find(({ value }) => value === name || providerOf(value) === name)
  if (named && named.unusable === undefined) return pick(named.value)
  // A name with a slash, or one that no item matches, is used directly, because the list does not
  // contain every model.
  const isListed = !name.includes('/') && shownItems({ items, query: name }).length > 0
  if (!isListed) return pick(name)
  const none = 'no matches; /model PROVIDER/MODEL takes any model'
  screen.pick('Model', items, pick, { current: screen.view.model.id, query: name, none })
}

/**
 * Asks for the secret key of a provider, and sets the model once the key is stored. The key is not shown, and
 * no event, draft or history contains it.
 */
function askKey(screen: CommandScreen, model: string): void {
  const provider = model.split('/', 1)[0] ?? model
  const lines = [
    `${provider} needs an API key. Paste it here. It is not shown. Anode tests it with one short request ` +
      'and stores it in a file that only you can read. An environment variable works too.',
  ]
  screen.enter({ title: `Key of ${provider}`, lines, isSecret: true }, async (key) => {
    if (key === '') return
    screen.tell(`checking the key with ${provider}`, 30_000)
    const reply = await screen.service.saveProvider?.({ provider, key })
    if (!reply) return
    screen.tell(reply.ok ? (reply.message ?? 'the key is stored') : reply.message, 10_000)
    if (reply.ok) await screen.send({ type: 'set_model', model })
  })
}

/**
 * Opens the question whether the user trusts the workspace. All files that trust would apply are listed
 * before the key `t` counts. Where trust cannot be changed, only shows a hint.
 */
export async function askTrust(screen: CommandScreen): Promise<void> {
  const trust = await screen.service.readTrust?.()
  if (trust) openTrustChoice(screen, trust, false)
  else screen.tell('trust can be changed only where the session runs')
}

/**
 * Opens the choice about trust; for a trusted workspace, only says so. `isOffered` means that the program
 * opened it, not the user.
 */
export function openTrustChoice(screen: CommandScreen, trust: TrustView, isOffered: boolean): void {
  const { service, view } = screen
  const { files, digest } = trust
  if (trust.state === 'trusted') {
    screen.tell('this workspace is trusted; `anode trust --revoke` revokes that')
    return
  }
  const lines = [
    {
      text:
        files.length === 0
          ? 'This workspace contains no configuration and no programs.'
          : 'Files in this workspace may start programs as you:',
    },
    ...files.map((file) => ({ text: escapeInvisible(file), foreign: true })),
    { text: 'After you trust it, they apply, and tests and builds run without approval in mode auto.' },
  ]
  const answers = [
    { key: 't', label: 'trust it', isLast: true },
    ...(files.length > 0 ? [{ key: 'l', label: 'read them', stays: true }] : []),
    { key: 'n', label: 'not now' },
  ]
  screen.choose({ title: 'Trust this workspace', lines, answers, isOffered }, async (key) => {
    if (key === 'l') return await showTrustFiles(screen, files)
    if (key !== 't') return
    const reply = await service.grantTrust?.(digest)
    if (!reply?.ok) return screen.tell(reply?.message ?? '', 10_000)
    // A session reads the files of the workspace only when it opens, so it is opened again after the answer.
    return screen.open(
      view.pos === 0 ? { kind: 'new' } : { kind: 'resume', thread: view.thread },
      screen.text(),
    )
  })
}

/** Shows the effects of the workspace's files above the open question. */
async function showTrustFiles(screen: CommandScreen, files: TrustView['files']): Promise<void> {
  const fileViews = await screen.service.describeTrust?.(files).catch(() => undefined)
  if (fileViews) screen.show(fileViews.flatMap(listTrustFileLines))
  else screen.tell('the files cannot be read; `anode trust --status` lists them')
}

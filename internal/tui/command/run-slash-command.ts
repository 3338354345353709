// The slash commands of the inline and the full screen.

import { openExperimentPage, openStudyPage } from '../board/board-pages.ts'
import { paletteItems } from '../dialog/palette.ts'
import { openPickerDialog, openWaiting } from '../inline/dialogs.ts'
import { holdInput } from '../inline/held-input.ts'
import { type InlineState, showHint } from '../inline/inline-state.ts'
import { sendCommand } from '../inline/send-command.ts'
import { quitSession } from '../inline/stop-session.ts'
import { replaceText } from '../input/editor-text.ts'
import type { SessionAction } from '../input/key-map.ts'
import { readSkills } from '../input/session-skills.ts'
import type { SlashCommand } from '../input/slash-command.ts'
import { openPage } from '../page/live-page.ts'
import { createFixedPage } from '../page/text-page.ts'
import { createThreadPage } from '../page/thread-page.ts'
import { drawCommandHelp, drawKeyHelp, drawKeySettings } from '../view/session-pages.ts'
import { drawAgents, drawQueue, drawTodoList } from '../view/work-rows.ts'
import { runBuildCommand } from './build-command.ts'
import { copyAnswer } from './copy-answer.ts'
import { inlineCommandScreen } from './inline-command-screen.ts'
import { setForm, setTheme } from './look-command.ts'
import { openConversation } from './open-conversation.ts'
import { attachNamedPicture, editText } from './outside-text.ts'
import { showSessionRules } from './session-rules.ts'
import { isSharedCommand, runSharedCommand } from './shared-command.ts'
import { inlineBuildHost, runVerbCommand, stillRuns } from './verb-command.ts'
import { openWorkPage } from './work-pages.ts'

/**
 * Commands that read something and then open a list, a page or a question, which gets the
 * input typed meanwhile.
 */
const opening: ReadonlySet<SlashCommand> = new Set<SlashCommand>([
  ...(['model', 'profile', 'rewind', 'trust', 'undo', 'redo'] as const),
  ...(['resume', 'search', 'agents', 'jobs', 'study', 'research'] as const),
])

/** Commands of `opening` that open a page only without an argument. */
const openingAlone: ReadonlySet<SlashCommand> = new Set<SlashCommand>(['resume', 'study', 'research'])

/** Commands of which only one runs at a time. */
const alone: ReadonlySet<SlashCommand> = new Set<SlashCommand>([
  ...(['build', 'compact', 'config', 'context', 'doctor', 'export', 'lsp', 'mcp'] as const),
  ...(['research', 'review', 'skills', 'study', 'tools'] as const),
])

/** Returns the hint why a slash command cannot start now; undefined if it can. */
export function slashObstacle(
  { screen: { verb } }: InlineState,
  name: SlashCommand,
  argument: string,
): string | undefined {
  const isPage = openingAlone.has(name) && argument === ''
  return verb && alone.has(name) && !isPage ? stillRuns(verb) : undefined
}

/** Runs a slash command. Input that arrives before its list or page is open goes to that list or page. */
export async function runSlashCommand(
  state: InlineState,
  name: SlashCommand,
  argument: string,
): Promise<void> {
  const run = () => runCommand(state, name, argument)
  const isOpening = opening.has(name) && (argument === '' || !openingAlone.has(name))
  return isOpening ? holdInput(state, run) : run()
}

async function runCommand(state: InlineState, name: SlashCommand, argument: string): Promise<void> {
  if (name === 'keys' || name === 'todo') return printLines(state, drawCommandLines(state, name))
  if (isSharedCommand(name)) return runSharedCommand(inlineCommandScreen(state), name, argument)
  switch (name) {
    case 'help':
      return openHelp(state)
    case 'agents':
    case 'jobs':
      return openWorkPage(state, name)
    case 'queue':
      if (argument === '') return printLines(state, drawQueuePage(state))
      return void (await sendCommand(state, { type: 'queue', content: argument }))
    case 'copy':
      return copyAnswer(state, argument)
    case 'answer':
      if (!openWaiting(state, true)) showHint(state, 'nothing waits for an answer')
      return
    case 'compact':
      return await compactThread(state, argument)
    case 'resume':
      if (argument !== '') return openConversation(state, { kind: 'resume', thread: argument })
      return await showThreads(state, '')
    case 'search':
      return await showThreads(state, `/${argument}`)
    case 'quit':
      return quitSession(state)
    case 'editor':
      return await editText(state)
    case 'theme':
      return setTheme(state, argument)
    case 'screen':
      return setForm(state, argument)
    case 'image':
      return await attachNamedPicture(state, argument)
    case 'permissions': {
      if (await showSessionRules(inlineCommandScreen(state), argument)) return
      return await runVerbCommand(state, name, argument)
    }
    case 'study':
      if (argument === '') return openStudyPage(state)
      return await runVerbCommand(state, name, argument)
    case 'build':
      return await runBuildCommand(inlineBuildHost(state), argument)
    case 'research':
      if (argument === '') return openExperimentPage(state)
      return await runVerbCommand(state, name, argument)
    default:
      return await runVerbCommand(state, name, argument)
  }
}

function drawCommandLines(
  { conversation: { view, children }, display: { look, form }, screen: { keys } }: InlineState,
  name: 'keys' | 'todo',
): string[] {
  if (name === 'keys') return drawKeySettings(keys, look, form === 'full')
  return [...drawTodoList(view, look), ...drawAgents(view, Date.now(), { ...look, all: true }, children)]
}

function drawQueuePage({ conversation: { view }, display: { look } }: InlineState): string[] {
  return view.queue.length > 0 ? drawQueue(view, { ...look, all: true }) : [' Nothing is queued.']
}

function printLines(state: InlineState, lines: string[]): void {
  state.hints.notes.push(lines)
  state.screen.changed(true)
}

export function openHelp(state: InlineState): void {
  const isFull = state.display.form === 'full'
  openPage(
    state,
    createFixedPage((look) => [
      ...drawCommandHelp(look),
      '',
      ...drawKeyHelp(state.screen.keys, look, isFull),
    ]),
  )
}

/** Opens the command palette. A picked command goes into the editor; a picked action runs immediately. */
export function openPalette(state: InlineState, act: (name: SessionAction) => void): Promise<void> {
  return holdInput(state, () => pickAction(state, act))
}

async function pickAction(state: InlineState, act: (name: SessionAction) => void): Promise<void> {
  const choices = paletteItems(state.screen.keys, await readSkills(state.screen.service, state.composer))
  const items = choices.map((item, i) => ({ ...item, value: String(i) }))
  openPickerDialog(state, 'Actions and commands', items, (value) => {
    const choice = choices[Number(value)]?.value
    if (choice?.kind === 'action') act(choice.name)
    if (choice?.kind === 'command') replaceText(state.composer, `/${choice.name} `)
  })
}

/**
 * Opens the page of threads in this workspace. `query` is a search as the user would type it on that page.
 */
async function showThreads(state: InlineState, query: string): Promise<void> {
  const {
    screen,
    screen: { service },
  } = state
  const pick = (thread: string, isCopy: boolean) =>
    openConversation(state, { kind: isCopy ? 'fork' : 'resume', thread })
  const page = createThreadPage({ service, query, pick, changed: () => screen.changed() })
  openPage(state, page)
}

/**
 * Compacts (summarizes) the thread; `focus` is the subject that the summary must keep. Esc stops the
 * compaction as it stops a run. While another command runs, only shows a hint.
 */
async function compactThread(state: InlineState, focus: string): Promise<void> {
  if (state.screen.verb) return showHint(state, stillRuns(state.screen.verb))
  const stop = new AbortController()
  const verb = { name: 'compact', since: Date.now(), stop }
  stop.signal.addEventListener('abort', () => void sendCommand(state, { type: 'interrupt' }))
  state.screen.verb = verb
  state.screen.changed(true)
  try {
    await sendCommand(state, { type: 'compact', focus: focus || undefined })
  } finally {
    if (state.screen.verb === verb) state.screen.verb = undefined
    state.screen.changed(true)
  }
}

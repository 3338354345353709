// The commands behind a slash, as an inline screen does them.

import { paletteItems } from '../dialog/palette.ts'
import { openPickerDialog, openWaiting } from '../inline/dialogs.ts'
import { type InlineState, showHint } from '../inline/inline-state.ts'
import { sendCommand } from '../inline/send-command.ts'
import { quitSession } from '../inline/stop-session.ts'
import type { SessionAction } from '../input/key-map.ts'
import { readSkills } from '../input/session-skills.ts'
import type { SlashCommand } from '../input/slash-command.ts'
import { openPage } from '../page/live-page.ts'
import { drawCommandHelp, drawKeyHelp, drawThreadChanges } from '../view/session-pages.ts'
import { drawAgents, drawQueue, drawTodoList } from '../view/work-rows.ts'
import { copyAnswer } from './copy-answer.ts'
import { attachPicture, editText } from './outside-text.ts'
import {
  askTrust,
  chooseModel,
  chooseProfile,
  setEffort,
  setForm,
  setMode,
  setTheme,
} from './setup-command.ts'
import { forkThread, rewindThread, undoFiles } from './undo-command.ts'
import { runVerbCommand } from './verb-command.ts'

export async function runSlashCommand(
  state: InlineState,
  name: SlashCommand,
  argument: string,
): Promise<void> {
  const lines = drawCommandPage(state, name)
  if (lines && lines.length > maxPrinted) return await showLong(state, name)
  if (lines) return printLines(state, lines)
  const { view, screen } = state
  switch (name) {
    case 'help':
      return printHelp(state)
    case 'usage':
      return printLines(state, await (await import('./usage-lines.ts')).readUsageLines(state))
    case 'agents':
    case 'jobs':
      return (await import('./work-pages.ts')).openWorkPage(state, name)
    case 'queue':
      if (argument === '') return printLines(state, drawQueuePage(state))
      return void (await sendCommand(state, { type: 'queue', content: argument }))
    case 'copy':
      return copyAnswer(state, argument)
    case 'answer':
      if (!openWaiting(state, true)) showHint(state, 'nothing waits for an answer')
      return
    case 'rename':
      return void (await sendCommand(state, { type: 'rename', title: argument }))
    case 'compact':
      showHint(state, 'shortens the conversation', 60_000)
      if (await sendCommand(state, { type: 'compact', ...(argument !== '' && { focus: argument }) }))
        showHint(state, 'done', 1_000)
      return
    case 'new':
      return screen.open({ kind: 'new' })
    case 'resume':
      if (argument !== '') return screen.open({ kind: 'resume', thread: argument })
      return await showThreads(state, '')
    case 'search':
      return await showThreads(state, `/${argument}`)
    case 'fork':
      return forkThread(state, argument)
    case 'undo':
      return await undoFiles(state)
    case 'rewind':
      return rewindThread(state)
    case 'quit':
      return quitSession(state)
    case 'mode':
      return setMode(state, argument)
    case 'plan':
      return setMode(state, view.mode === 'plan' ? 'ask' : 'plan')
    default:
      return await setUp(state, name as Exclude<SlashCommand, GoingCommand>, argument)
  }
}

/** Lines that still go into the scrollback; more are a page. */
const maxPrinted = 2_000

async function showLong(state: InlineState, name: SlashCommand): Promise<void> {
  const { createFixedPage } = await import('../page/text-page.ts')
  openPage(
    state,
    createFixedPage((look) => drawCommandPage({ ...state, look }, name) ?? []),
  )
}

/** What is set, brought along or done by another command of the program. */
async function setUp(
  state: InlineState,
  name: Exclude<SlashCommand, GoingCommand>,
  argument: string,
): Promise<void> {
  switch (name) {
    case 'model':
      return await chooseModel(state, argument)
    case 'profile':
      return await chooseProfile(state, argument)
    case 'trust':
      return await askTrust(state)
    case 'editor':
      return await editText(state)
    case 'effort':
      return setEffort(state, argument)
    case 'add-dir':
      return void (await sendCommand(state, { type: 'add_dir', path: argument }))
    case 'theme':
      return setTheme(state, argument)
    case 'screen':
      return setForm(state, argument)
    case 'image':
      return await attachPicture(state, argument)
    case 'study':
      if (argument === '') return (await import('../board/board-pages.ts')).openStudyPage(state)
      return await runVerbCommand(state, name, argument)
    case 'research':
      if (argument === '') return (await import('../board/board-pages.ts')).openExperimentPage(state)
      return await runVerbCommand(state, name, argument)
    default:
      return await runVerbCommand(state, name, argument)
  }
}

/** Commands that are done before `setUp` is asked. */
type GoingCommand =
  | PageCommand
  | (
      | 'agents'
      | 'usage'
      | 'jobs'
      | 'help'
      | 'queue'
      | 'copy'
      | 'answer'
      | 'rename'
      | 'compact'
      | 'new'
      | 'resume'
      | 'search'
    )
  | ('fork' | 'undo' | 'rewind' | 'quit' | 'mode' | 'plan')

type PageCommand = 'keys' | 'todo' | 'diff'

/** What only shows something of the view; undefined for other commands. */
function drawCommandPage(
  { view, look, keys, children, form }: InlineState,
  name: SlashCommand,
): string[] | undefined {
  const all = { ...look, all: true }
  const now = Date.now()
  switch (name) {
    case 'keys':
      return drawKeyHelp(keys, look, form === 'full')
    case 'todo':
      return [...drawTodoList(view, look), ...drawAgents(view, now, all, children)]
    case 'diff':
      return drawThreadChanges(view, look)
    default:
      return undefined
  }
}

function drawQueuePage({ view, look }: InlineState): string[] {
  return view.queue.length > 0 ? drawQueue(view, { ...look, all: true }) : [' Nothing is queued.']
}

function printLines(state: InlineState, lines: string[]): void {
  state.notes.push(lines)
  state.screen.changed(true)
}

export function printHelp(state: InlineState): void {
  state.notes.push([
    ...drawCommandHelp(state.look),
    '',
    ...drawKeyHelp(state.keys, state.look, state.form === 'full'),
  ])
  state.screen.changed(true)
}

/** A command is put into the editor, an action is done at once. */
export async function openPalette(state: InlineState, act: (name: SessionAction) => void): Promise<void> {
  const found = paletteItems(state.keys, await readSkills(state))
  const items = found.map((item, i) => ({ ...item, value: String(i) }))
  openPickerDialog(state, 'Actions and commands', items, (value) => {
    const choice = found[Number(value)]?.value
    if (choice?.kind === 'action') act(choice.name)
    if (choice?.kind === 'command') state.editor.setText(`/${choice.name} `)
  })
}

/** The threads of this workspace; `query` as it would be typed there. */
async function showThreads(state: InlineState, query: string): Promise<void> {
  const { screen, service } = state
  const { createThreadPage } = await import('../page/thread-page.ts')
  const pick = (thread: string, isCopy: boolean) => screen.open({ kind: isCopy ? 'fork' : 'resume', thread })
  const page = createThreadPage({ service, query, pick, changed: () => screen.changed() })
  openPage(state, page)
}

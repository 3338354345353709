// The slash commands of the plain screen. Commands that are equal on all screens are shared.
import { basename } from 'node:path/posix'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { runBuildCommand } from '../command/build-command.ts'
import { giveToClipboard, readCopied } from '../command/copy-answer.ts'
import { addPicture, isDocumentName } from '../command/outside-text.ts'
import { showSessionRules } from '../command/session-rules.ts'
import { isSharedCommand, runSharedCommand } from '../command/shared-command.ts'
import { threadFacts } from '../dialog/palette.ts'
import { mentionOf } from '../input/mention.ts'
import type { SlashCommand } from '../input/slash-command.ts'
import { readTypedPath } from '../input/typed-path.ts'
import { chooseByLine, pickByNumber } from './plain-choice.ts'
import { plainCommandScreen } from './plain-command-screen.ts'
import { queueLines } from './plain-events.ts'
import { helpLines, keyLines } from './plain-input.ts'
import { leavePlain } from './plain-leave.ts'
import { askAgain } from './plain-questions.ts'
import { describeFailure, type PlainState, sendCommand } from './plain-state.ts'
import { plainBuildHost, startPlainVerb } from './plain-verb.ts'
import { listAgents, listJobs, listTodos, showAgent, showBoard } from './plain-work.ts'
import { sayWords } from './say-words.ts'

export async function runPlainCommand(
  state: PlainState,
  name: SlashCommand,
  argument: string,
): Promise<void> {
  const { client, view } = state.conversation
  const { print } = state.printer
  if (isSharedCommand(name)) return await runSharedCommand(plainCommandScreen(state), name, argument)
  switch (name) {
    case 'help':
      return print(helpLines())
    case 'keys':
      return print(keyLines)
    case 'theme':
      return print(['the plain screen has no colors; inline and full have themes'])
    case 'screen':
      return print([describeScreenChoice(client.thread)])
    case 'compact':
      return void (await sendCommand(state, { type: 'compact', focus: argument || undefined }))
    case 'queue':
      if (argument === '') return print(queueLines(view.queue))
      return void (await sendCommand(state, { type: 'queue', content: argument }))
    case 'todo':
      return print(listTodos(state))
    case 'jobs':
      return print(listJobs(state))
    case 'agents':
      return argument === '' ? print(listAgents(state)) : await showAgent(state, argument)
    case 'answer':
      return view.waits.length + view.questions.length > 0
        ? askAgain(state)
        : print(['nothing waits for an answer'])
    case 'resume':
      return argument === ''
        ? await pickThread(state)
        : await state.screen.open({ kind: 'resume', thread: argument })
    case 'search':
      return await pickThread(state, argument)
    case 'copy':
      return await copyPlain(state, argument)
    case 'editor':
      return await editPlain(state)
    case 'image':
      return await attachPlain(state, argument)
    case 'quit':
      return leavePlain(state)
    case 'permissions':
      return await showRules(state, argument)
    case 'study':
      return argument === '' ? await showBoard(state, 'study') : startPlainVerb(state, name, argument)
    case 'build':
      return startBuildCommand(state, argument)
    case 'research':
      return argument === '' ? await showBoard(state, 'experiment') : startPlainVerb(state, name, argument)
    default:
      return startPlainVerb(state, name, argument)
  }
}

/**
 * Runs the command `permissions` with `argument`; without an argument or for `list`, first prints the rules
 * of the session. `forget ID` with a rule of the session only removes that rule.
 */
async function showRules(state: PlainState, argument: string): Promise<void> {
  if (!(await showSessionRules(plainCommandScreen(state), argument)))
    startPlainVerb(state, 'permissions', argument)
}

/** Starts `/build` and returns at once, so that typed lines go to the session while the plan is made. */
function startBuildCommand(state: PlainState, argument: string): void {
  void runBuildCommand(plainBuildHost(state), argument).catch((error: unknown) =>
    state.printer.print([describeFailure(error)]),
  )
}

const describeScreenChoice = (thread: string) =>
  `the form is chosen at the start: anode --resume ${thread} --screen inline, or full`

const maxThreads = 50

/**
 * Lets the user pick one of at most 50 threads of this workspace, and resumes it. `text` limits the list to
 * threads that contain it.
 */
async function pickThread(state: PlainState, text?: string): Promise<void> {
  const query = { limit: maxThreads, text }
  const threads = await state.screen.service.listThreads(query)
  const none = text === undefined ? 'no threads in this workspace yet' : 'no thread contains this text'
  if (threads.length === 0) return state.printer.print([none])
  const now = Date.now()
  const items = threads.map((thread) => ({
    value: thread.thread,
    label: thread.title === '' ? thread.thread : thread.title,
    about: [threadFacts(thread, now).join(', '), thread.snippet ?? '']
      .filter((part) => part !== '')
      .join(': '),
  }))
  const open = (thread: string) => state.screen.open({ kind: 'resume', thread })
  pickByNumber(state, 'Which thread do you want to resume?', items, open, {
    current: state.conversation.client.thread,
  })
}

/**
 * Copies the last answer, or its code block with the number in `argument`, to a clipboard. If no clipboard
 * accepts the text, it is printed instead.
 */
async function copyPlain(
  { conversation: { view }, screen: { io }, printer: { print } }: PlainState,
  argument: string,
): Promise<void> {
  const copied = readCopied(view, argument)
  if (copied.kind === 'none') return print([copied.why])
  const isSimple = io.env.TERM === undefined || io.env.TERM === 'dumb'
  const signal = isSimple ? undefined : (bytes: string) => void io.output.write(bytes)
  const { isGiven, outcome } = await giveToClipboard(io, copied.text, signal)
  if (isGiven) return print([outcome])
  print([
    'this terminal has no clipboard for programs; the text is between these two lines',
    sanitizeText(copied.text, { keepLines: true }),
    'the text ends here',
  ])
}

/** Opens the unsent text in the user's editor, and offers the saved text for sending. */
async function editPlain(state: PlainState): Promise<void> {
  const edit = state.screen.io.editText
  if (!edit) return state.printer.print(['the editor works only where the session runs'])
  let after: string | undefined
  await state.screen.lend(async () => {
    after = await edit(state.composer.text)
  })
  if (after === undefined) return state.printer.print(['the editor failed; the text is unchanged'])
  state.composer.text = after
  if (after.trim() === '') state.printer.print(['nothing was written'])
  else offerText(state)
}

/** Prints the complete unsent text, and lets the user send or edit it. */
export function offerText(state: PlainState): void {
  const {
    composer: { text },
  } = state
  const lines = text.split('\n').map((line) => ({ text: line, foreign: true }))
  const answers = [
    { key: 's', label: 'send it' },
    { key: 'e', label: 'change it in your editor' },
  ]
  chooseByLine(state, { title: 'Your text, which /editor opens again', lines, answers }, (key) =>
    key === 's' ? sayWords(state, text) : editPlain(state),
  )
}

async function attachPlain(state: PlainState, name: string): Promise<void> {
  const path = readTypedPath(name, state.screen.io.env.HOME)
  if (isDocumentName(path)) {
    const mention = mentionOf(path)
    state.composer.mentions = [...state.composer.mentions, mention]
    return state.printer.print([`${sanitizeText(mention)} goes with your next message`])
  }
  const read = state.screen.io.readPicture
  if (!read) return state.printer.print(['images can be attached only where the session runs'])
  const { pictures, label } = addPicture(
    state.composer.pictures,
    state.composer.text,
    basename(path),
    await read(path),
  )
  state.composer.pictures = pictures
  state.printer.print([`${label} goes with your next message`])
}

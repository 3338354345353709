// The plain screen of a session: lines only, for terminals that cannot be drawn on and for screen readers.
import { createInterface } from 'node:readline'
import { FailureError } from '../../base/errors.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionClient, SessionEvent, SessionService } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { emptyView } from '../../session/view/view-snapshot.ts'
import type { SessionIo, SessionScreen, SessionScreenOptions } from '../screen-options.ts'
import { unblockOutput } from '../terminal/unblocked-output.ts'
import { plainCommands, readFileMentions, readLine } from './plain-input.ts'
import {
  blockLinesOf,
  callStartLine,
  permissionChoices,
  previewLines,
  queueLines,
  startLines,
} from './plain-lines.ts'
import { openPlainOutput } from './plain-output.ts'
import { answerPermission, answerQuestion, askNext, denyWithWords } from './plain-questions.ts'
import { type PlainState, sendCommand } from './plain-state.ts'

/** Stored events before the present that are read for the last exchanges. */
const recentEvents = 200
/** A line that comes sooner after a question was typed before it. */
const minReadingMs = 700
const leaveWithinMs = 2_000
/** A terminal that takes nothing for so long is left as it is. */
const flushMs = 1_000

export function openPlainScreen(
  client: SessionClient,
  service: SessionService,
  io: SessionIo,
  options: SessionScreenOptions,
): SessionScreen {
  return { run: () => runPlainScreen(client, service, io, options) }
}

async function runPlainScreen(
  client: SessionClient,
  service: SessionService,
  io: SessionIo,
  { firstMessage, notes }: SessionScreenOptions,
): Promise<number> {
  const gone = new AbortController()
  const flow = unblockOutput(io.output)
  const state: PlainState = {
    ...{
      client,
      service,
      view: emptyView(client.thread),
      question: undefined,
      printed: '',
      lastInterrupt: 0,
    },
    print: openPlainOutput(io.output),
    width: () => io.output.columns ?? 80,
    leave: () => gone.abort(),
  }
  const lines = createInterface({ input: io.input, terminal: false })
  let turn = Promise.resolve()
  lines.on('line', (line) => {
    turn = turn.then(() => takeLine(state, line)).catch((error: unknown) => tell(state, error))
  })
  lines.on('close', state.leave)
  // who opened it would end the program at once, in the middle of a run
  io.output.removeAllListeners('error').on('error', state.leave)
  io.onInterrupt?.(() => interrupt(state))
  io.signal.addEventListener('abort', state.leave, { once: true })
  if (io.signal.aborted) state.leave()
  for (const note of notes) state.print([`note: ${sanitizeText(note)}`])
  const following = followEvents(state, gone.signal)
  if (firstMessage !== undefined) await say(state, firstMessage)
  if (!gone.signal.aborted)
    await new Promise((resolve) => gone.signal.addEventListener('abort', resolve, { once: true }))
  lines.close()
  await following
  await client.detach()
  await flow.flush(flushMs)
  flow.block()
  return 0
}

/** Reads again from where it was when more has happened than could be printed. */
async function followEvents(state: PlainState, signal: AbortSignal): Promise<void> {
  let from = Math.max(0, state.client.openedAt - recentEvents)
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let isPresent = !isFirst
    try {
      for await (const event of state.client.readEvents(from, signal)) {
        const before = state.view
        state.view = foldSessionEvent(before, event)
        from = state.view.pos
        if (event.type === 'session.snapshot' && !isPresent) {
          showStart(state, event)
          askNext(state)
          isPresent = true
        } else if (isPresent) showEvent(state, before, event)
      }
      return
    } catch (error) {
      if (!(error instanceof FailureError && error.failure.code === 'lagged')) throw error
    }
  }
}

function showStart(state: PlainState, { payload }: Extract<SessionEvent, { type: 'session.snapshot' }>) {
  const { view } = state
  state.print(startLines(payload))
  const users = view.blocks.flatMap((block, at) => (block.kind === 'user' && !block.origin ? [at] : []))
  const from = users.at(-2) ?? users.at(-1) ?? view.blocks.length
  if (from > 0 && view.pos > 0) state.print(['(what lies before is in the thread)'])
  for (const block of view.blocks.slice(from)) state.print(blockLinesOf(block, state.width()))
  if (view.queue.length > 0) state.print([...queueLines(view.queue), 'an empty line gives this to the model'])
}

function showEvent(state: PlainState, before: SessionView, event: SessionEvent): void {
  const { view, print } = state
  const width = state.width()
  switch (event.type) {
    case 'message.delta':
      if (event.status === 'discarded') dropReply(state)
      else showParagraphs(state)
      break
    case 'message':
      if (event.payload.role === 'assistant') showReply(state, event.payload.text)
      else if (event.payload.role === 'summary') print(newLines(view, before, width))
      break
    case 'tool.call':
      print([callStartLine(event.payload)])
      break
    case 'tool.result': {
      const block = view.blocks.findLast((one) => one.kind === 'call' && one.id === event.payload.call)
      if (block) print(blockLinesOf(block, width))
      break
    }
    case 'permission.preview': {
      const asked = view.waits.find(({ call }) => call === event.payload.call)
      if (asked && state.question?.call === asked.call)
        print([...previewLines(asked), permissionChoices(asked)])
      break
    }
    case 'run.ended':
      print([...newLines(view, before, width), '\u0007'])
      break
    case 'model.notice':
    case 'job.ended':
    case 'limit':
      print(newLines(view, before, width))
      break
    default:
      break
  }
  askNext(state)
}

function newLines(view: SessionView, before: SessionView, width: number): string[] {
  const last = view.blocks.at(-1)
  return last && last !== before.blocks.at(-1) ? blockLinesOf(last, width) : []
}

function dropReply(state: PlainState): void {
  if (state.printed !== '') state.print(['(broke off, asked again)'])
  state.printed = ''
}

/** Whole paragraphs as they come: a line that is read aloud is not to change any more. */
function showParagraphs(state: PlainState): void {
  const text = state.view.openReply?.text ?? ''
  const end = text.lastIndexOf('\n\n')
  if (end > state.printed.length) showText(state, text.slice(0, end))
}

function showReply(state: PlainState, text: string): void {
  if (text.length > state.printed.length) showText(state, text)
  state.printed = ''
}

function showText(state: PlainState, text: string): void {
  const more = sanitizeText(text.slice(state.printed.length), { keepLines: true }).replace(/^\n+/, '')
  state.print([state.printed === '' ? `anode: ${more}` : more])
  state.printed = text
}

async function takeLine(state: PlainState, line: string): Promise<void> {
  const { question } = state
  if (question && Date.now() - question.since < minReadingMs) {
    // what was typed before the question came is no answer to it
    state.print(['a question came while you typed; the line was not taken as an answer'])
    if (line.trim() !== '') await say(state, line)
    return
  }
  if (question?.kind === 'permission') {
    if (await answerPermission(state, question.call, line.trim())) return
  } else if (question?.kind === 'reason') {
    await sendCommand(state, {
      type: 'answer_permission',
      call: question.call,
      answer: denyWithWords(
        state.view.waits.find(({ call }) => call === question.call),
        line,
      ),
    })
    return
  } else if (question?.kind === 'questions') return answerQuestion(state, line.trim())
  await doLine(state, line)
}

async function doLine(state: PlainState, line: string): Promise<void> {
  const action = readLine(line)
  switch (action.kind) {
    case 'quit':
      return state.leave()
    case 'tell':
      return state.print([action.text])
    case 'words':
      return say(state, action.text)
    case 'show':
      return show(state, action.what)
    case 'send': {
      const { command } = action
      if (command.type !== 'unqueue') return sendCommand(state, command)
      const last = state.view.queue.at(-1)
      if (!last) return state.print(queueLines([]))
      return sendCommand(state, { type: 'unqueue', message: last.id })
    }
  }
}

async function show(state: PlainState, what: 'help' | 'queue' | 'threads' | 'choices'): Promise<void> {
  const { service, view, print } = state
  if (what === 'help') return print(plainCommands.map(([usage, about]) => `${usage}  ${about}`))
  if (what === 'queue') return print(queueLines(view.queue))
  if (what === 'threads') {
    const threads = await service.listThreads({ limit: 20 })
    return print(threads.map(({ thread, title }) => sanitizeText(`anode --resume ${thread}  ${title}`)))
  }
  const { models } = await service.readChoices()
  print(models.map(({ name, unusable }) => sanitizeText(unusable ? `${name}  (${unusable})` : name)))
}

/** Steers while a run goes on. */
async function say(state: PlainState, text: string): Promise<void> {
  if (text === '' && state.view.queue.length === 0) return
  const files = []
  for (const mention of readFileMentions(text)) {
    const found = await state.client.findMentions(mention.path, 5, new AbortController().signal)
    if (found.some(({ path, kind }) => path === mention.path && kind === 'file')) files.push(mention)
  }
  const type = state.view.run && text !== '' ? 'steer' : 'say'
  if (type === 'steer') state.print(['taken at the next step'])
  await sendCommand(state, { type, content: text, ...(files.length > 0 && { files }) })
}

const tell = (state: PlainState, error: unknown) =>
  state.print([`not done: ${sanitizeText(error instanceof Error ? error.message : String(error))}`])

function interrupt(state: PlainState): void {
  const isIdle = state.view.run === undefined && state.view.calls.length === 0
  const isSecond = isIdle && Date.now() - state.lastInterrupt < leaveWithinMs
  // stopping something never counts as the first of two
  state.lastInterrupt = isIdle ? Date.now() : 0
  if (isSecond) state.leave()
  else if (isIdle) state.print(['Ctrl-C again leaves'])
  else void sendCommand(state, { type: 'interrupt' }).catch((error: unknown) => tell(state, error))
}

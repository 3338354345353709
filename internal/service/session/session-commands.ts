// Does the commands of a session; each resolves once what it asks for is on record.
import { defined } from '../../base/defined.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import { refuseFileModel } from '../../base/text/file-model.ts'
import { openThreadRun } from '../../runtime/run/thread-run.ts'
import type { CommandReply } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { chooseSessionAgent } from './session-agent.ts'
import { followModel } from './session-model.ts'
import {
  acceptCommand,
  adaptSessionCtx,
  openStateThread,
  reportEvent,
  type SessionState,
} from './session-state.ts'
import { checkSessionModel } from './session-tools.ts'
import { awaitParts, giveNotes, queueMessage, sayMessage, turnOptions } from './session-turns.ts'
import { undoFiles } from './session-undo.ts'
import { callAsPerson } from './user-call.ts'

type Of<T extends SessionCommand['type']> = Extract<SessionCommand, { type: T }>

/** Never rejects. */
export async function doCommand(state: SessionState, command: SessionCommand): Promise<CommandReply> {
  if (state.isClosed) return { ok: false, code: 'closed', message: 'the session has ended' }
  if (state.departure?.phase === 'leaving' || state.departure?.phase === 'left')
    return { ok: false, code: 'closed', message: 'the session is being handed over' }
  try {
    return await dispatch(state, command)
  } catch (error) {
    const isPersons = error instanceof UserError
    const hint = isPersons && error.hint !== undefined ? { hint: error.hint } : {}
    return { ok: false, code: isPersons ? 'refused' : 'internal', message: messageOf(error), ...hint }
  }
}

async function dispatch(state: SessionState, command: SessionCommand): Promise<CommandReply> {
  switch (command.type) {
    case 'say':
    case 'steer':
    case 'queue':
      return takeWords(state, command)
    case 'unqueue':
      return (await state.queue.takeBack(command.message))
        ? acceptCommand(state)
        : { ok: false, code: 'not_found', message: 'the model was given this message already' }
    case 'interrupt':
      return command.call === undefined ? interruptSession(state) : interruptCall(state, command.call)
    case 'answer_permission': {
      const refused = state.answers.answerPermission(command.call, command.answer)
      if (!refused && !command.answer.allow && command.answer.stop) interruptSession(state)
      return refused ?? acceptCommand(state)
    }
    case 'answer_question':
      return state.answers.answerQuestion(command.call, command.answer) ?? acceptCommand(state)
    case 'session_rules':
      return (await import('./control/session-rules.ts')).listSessionRules(state, command.forget)
    case 'set_profile':
    case 'set_model':
      return changeAgent(state, command)
    case 'set_mode':
      return changeMode(state, command.mode)
    case 'set_effort': {
      const { effort } = command
      state.effort = effort
      await reportEvent(state, { type: 'session.changed', payload: { effort } })
      return acceptCommand(state)
    }
    case 'add_dir':
      return addDirectory(state, command.path)
    case 'run_shell':
      return runShell(state, command)
    case 'compact':
      return compactConversation(state, command.focus)
    case 'undo':
      return undoFiles(state, command)
    case 'rename':
      if (state.thread.isStored()) (await state.thread.store()).threads.rename(state.thread.id, command.title)
      await reportEvent(state, { type: 'session.changed', payload: { title: command.title } })
      return acceptCommand(state)
    case 'fork':
      return (await import('./control/session-copy.ts')).copySession(state, command.at)
  }
}

async function takeWords(state: SessionState, command: Of<'say' | 'steer' | 'queue'>): Promise<CommandReply> {
  const { content, files = [] } = command
  if (command.isCommand) {
    const { refuseUnknownPrompt } = await import('./control/unknown-prompt.ts')
    const refused = await refuseUnknownPrompt(state, content)
    if (refused) return refused
  }
  if (command.type !== 'say') return queueMessage(state, command.type, { content, files })
  return sayMessage(state, { ...{ content, files }, ...defined({ skill: command.skill }) })
}

const interruptCall = async (state: SessionState, name: string) =>
  (await import('./control/stop-call.ts')).stopCall(state, name)

/** Plans are made in the mode that was there before, under a policy that only reads. */
async function changeMode(state: SessionState, mode: Of<'set_mode'>['mode']): Promise<CommandReply> {
  const { planning } = state
  if (mode === 'plan') {
    const { path, alreadyActive } = await planning.enter(false)
    const rules = `only the file of the plan, ${path}, may be written, and only commands that read may run`
    if (!alreadyActive) state.notes.push(`[the person wants a plan first: until they say otherwise ${rules}]`)
  } else {
    if (planning.active() !== undefined)
      state.notes.push('[the person has ended planning: files may be changed]')
    planning.leave()
    state.agent = { ...state.agent, mode }
  }
  await reportEvent(state, { type: 'session.changed', payload: { mode } })
  return acceptCommand(state)
}

/** What it holds is judged from then on as if it were part of the workspace. */
async function addDirectory(state: SessionState, path: string): Promise<CommandReply> {
  const { resolveAddedDir } = await import('../../runtime/session-policy.ts')
  const dir = resolveAddedDir(state.context.workspace, path, state.context.env, '')
  if (!state.addedDirs.includes(dir)) {
    state.addedDirs = [...state.addedDirs, dir]
    state.notes.push(`[the person has added the folder ${dir}: files of it may be used like those here]`)
  }
  return acceptCommand(state, `${dir} counts from the next run on`)
}

/** Ends the run, else what the person has started. */
function interruptSession(state: SessionState): CommandReply {
  const stops = state.running ? [state.running] : [...state.calls]
  for (const { stop } of stops) stop.abort(new Error('interrupted'))
  return acceptCommand(state, stops.length === 0 ? 'nothing goes on' : undefined)
}

/** Holds from the next run on. */
async function changeAgent(
  state: SessionState,
  command: Of<'set_profile' | 'set_model'>,
): Promise<CommandReply> {
  const { profile, mode, isNamed, model } = state.agent
  if (command.type === 'set_model' && ![model.id, state.context.loaded.config.model].includes(command.model))
    refuseFileModel(command.model, 'a running session')
  const notes: string[] = []
  const before = { profile: profile.name, ...(isNamed && { model: model.id }) }
  const asked = command.type === 'set_profile' ? { profile: command.name } : { model: command.model }
  const own = command.type === 'set_profile' && isNamed ? { model: model.id } : {}
  const request = { before, mode, ...own, ...asked }
  const agent = await chooseSessionAgent(state.context, request, (text) => notes.push(text))
  checkSessionModel(state.toolset, agent.model)
  state.agent = agent
  state.replies = { before: 0, here: 0 }
  const payload = { profile: state.agent.profile.name, model: state.agent.model.id }
  await reportEvent(state, { type: 'session.changed', payload })
  followModel(state)
  return acceptCommand(state, notes[0])
}

/** A line may run as long as the tool lets anything run. */
const maxShellMs = 1_800_000

async function runShell(state: SessionState, { line, tell }: Of<'run_shell'>): Promise<CommandReply> {
  if (line.trim() === '') return { ok: false, code: 'bad_args', message: 'there is no command to run' }
  const refused = await (await import('./control/other-driver.ts')).meetOtherDriver(state)
  if (refused) return refused
  const thread = await openStateThread(state, `! ${line}`)
  const runtime = await state.runtime()
  const stop = new AbortController()
  const done = callAsPerson({
    ...{ runtime, profile: state.agent.profile, thread, signal: stop.signal },
    adaptCtx: (ctx) => adaptSessionCtx(state, ctx),
    request: { name: 'bash', args: { command: line, timeout_ms: maxShellMs } },
  })
  const ended = done
    .then(async ({ text }) => {
      if (tell) state.notes.push(`[the person ran: ${line}]\n${text}`)
      if (!state.running) await giveNotes(state, thread)
    })
    .catch((error: unknown) => reportError(state, error))
    .finally(() => state.calls.delete(call))
  const call = { stop, ended }
  state.calls.add(call)
  return acceptCommand(state)
}

const reportError = (state: SessionState, error: unknown) =>
  reportEvent(state, { type: 'model.notice', payload: { code: 'error', text: messageOf(error) } })

async function compactConversation(state: SessionState, focus: string | undefined): Promise<CommandReply> {
  if (state.running) return { ok: false, code: 'busy', message: 'a run goes on: stop it or wait for its end' }
  if (!state.thread.isStored()) return acceptCommand(state, 'nothing was said in this thread yet')
  const refused = await (await import('./control/other-driver.ts')).meetOtherDriver(state)
  if (refused) return refused
  const stop = new AbortController()
  let replaced = false
  let hasNote = false
  const shorten = async () => {
    const thread = await openStateThread(state, 'untitled')
    const record = thread.recordRun()
    const runtime = await awaitParts(state, stop.signal)
    const options = { ...turnOptions(state, thread, record, stop.signal), runtime }
    const { session } = await openThreadRun(options)
    const steps = session.agent.compact(thread.conversation.messages, 'asked', focus)
    for (;;) {
      const step = await steps.next()
      if (step.done) {
        replaced = step.value
        break
      }
      hasNote ||= step.value.type === 'model.notice'
      await record.append(step.value)
    }
    record.flush()
  }
  const ended = shorten().finally(() => {
    state.running = undefined
  })
  state.running = { stop, ended: ended.catch(() => undefined) }
  await ended
  if (stop.signal.aborted && !replaced) return acceptCommand(state, 'stopped: the conversation is as it was')
  return acceptCommand(
    state,
    replaced || hasNote ? undefined : 'nothing could be shortened: the conversation is short',
  )
}

// The commands of a session. A reply follows when the effect is recorded; a request to end calls
// is answered immediately.
import { messageOf, UserError } from '../../base/errors.ts'
import type { CommandReply } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { compactConversation } from './control/compaction.ts'
import { changeGoal } from './control/goal.ts'
import { copySession } from './control/session-copy.ts'
import { listSessionRules } from './control/session-rules.ts'
import { refuseUnknownPrompt } from './control/unknown-prompt.ts'
import { splitDocuments } from './mentions/split-documents.ts'
import type { SessionParts } from './session-parts.ts'
import { undoFiles } from './session-undo.ts'

type CommandOf<T extends SessionCommand['type']> = Extract<SessionCommand, { type: T }>

/** Executes a command and returns the reply. Never rejects: errors are replies with `ok: false`. */
export async function doCommand(session: SessionParts, command: SessionCommand): Promise<CommandReply> {
  if (session.closing.aborted) return { ok: false, code: 'closed', message: 'the session has ended' }
  const phase = session.turns.departure?.phase
  if (phase === 'leaving' || phase === 'left')
    return { ok: false, code: 'closed', message: 'the session is being handed off' }
  try {
    return await dispatchCommand(session, command)
  } catch (error) {
    const isUsers = error instanceof UserError
    const hint = isUsers && error.hint !== undefined ? { hint: error.hint } : {}
    return { ok: false, code: isUsers ? 'refused' : 'internal', message: messageOf(error), ...hint }
  }
}

async function dispatchCommand(session: SessionParts, command: SessionCommand): Promise<CommandReply> {
  const { feed, thread, settings, answers, queue, calls } = session
  switch (command.type) {
    case 'say':
    case 'steer':
    case 'queue':
      return takeWords(session, command)
    case 'unqueue':
      return (await queue.takeBack(command.message))
        ? feed.accept()
        : { ok: false, code: 'not_found', message: 'the model was given this message already' }
    case 'interrupt':
      if (command.leaves) session.runtime.hurry()
      return command.call === undefined ? interruptWork(session) : calls.stop(command.call)
    case 'answer_permission': {
      const refused = answers.answerPermission(command.call, command.answer)
      if (!refused && !command.answer.allow && command.answer.stop) interruptWork(session)
      return refused ?? feed.accept()
    }
    case 'answer_question':
      return answers.answerQuestion(command.call, command.answer) ?? feed.accept()
    case 'session_rules':
      return listSessionRules(session, command.forget)
    case 'set_profile':
    case 'set_model':
      return changeAgent(session, command)
    case 'set_mode':
      return changeMode(session, command.mode)
    case 'set_effort': {
      const { effort } = command
      settings.effort = effort
      await thread.report({ type: 'session.changed', payload: { effort } })
      return feed.accept()
    }
    case 'add_dir':
      return addDirectory(session, command.path)
    case 'run_shell':
      return runShell(session, command)
    case 'compact':
      return compactConversation(session, command.focus)
    case 'goal':
      return changeGoal(session, command.argument)
    case 'undo':
      return undoFiles(session, command)
    case 'rename':
      if (thread.isStored) (await thread.store()).threads.rename(thread.id, command.title)
      await thread.report({ type: 'session.changed', payload: { title: command.title } })
      return feed.accept()
    case 'fork':
      return copySession(session, command.at)
  }
}

/**
 * Delivers the words of the user. A message to the active run ends the questions of the run, which would
 * otherwise wait although the user has replied. A request for permission stays open, because a message
 * neither allows nor denies a call.
 */
async function takeWords(
  { runtime, turns, answers }: SessionParts,
  command: CommandOf<'say' | 'steer' | 'queue'>,
): Promise<CommandReply> {
  const { files = [] } = command
  const { content, documents } = splitDocuments(command.content)
  if (command.isCommand) {
    const refused = await refuseUnknownPrompt(runtime, content)
    if (refused) return refused
  }
  if (command.type !== 'say') {
    const hasRun = turns.running !== undefined
    const reply = await turns.queue(command.type, { content, files, documents })
    if (reply.ok && hasRun && command.type === 'steer') answers.replaceByMessage()
    return reply
  }
  return turns.say({ content, files, documents, skill: command.skill })
}

/**
 * Changes the mode. Mode `plan` does not replace the mode of the settings. It adds a policy that allows only
 * reads, and writes to the plan file.
 */
async function changeMode(session: SessionParts, mode: CommandOf<'set_mode'>['mode']): Promise<CommandReply> {
  const { planning, notes, settings, thread, feed } = session
  if (mode === 'plan') {
    const { path, alreadyActive } = await planning.enter(false)
    if (!alreadyActive) notes.add(planNote(path))
  } else {
    const path = planning.active()
    // if the note about planning was not sent to the model yet, it is removed, and the model gets no note
    // about the end
    if (path !== undefined && !notes.remove(planNote(path)))
      notes.add('[The user has ended planning. Files may be changed.]')
    await planning.leave()
    settings.setMode(mode)
    // a changed mode alone does not make the active run `unrestricted`, so that mode applies from the
    // next run on
    planning.mode = mode === 'unrestricted' ? undefined : mode
  }
  await thread.report({ type: 'session.changed', payload: { mode } })
  return feed.accept()
}

const planNote = (path: string) =>
  `[The user asks for a plan first. Until the user says otherwise, only the plan file ${path} ` +
  'may be written, and only commands that read may run.]'

async function addDirectory({ settings, notes, feed }: SessionParts, path: string): Promise<CommandReply> {
  const { dir, isNew } = await settings.addDirectory(path)
  if (isNew) notes.add(`[the user has added the directory ${dir}: files of it may be used like those here]`)
  return feed.accept(`${dir} counts from the next run on`)
}

/** Ends the active run or other exclusive work; without either, ends all calls that the user has started. */
function interruptWork({ turns, calls, feed }: SessionParts): CommandReply {
  const stops = turns.running ? [turns.running] : [...calls.byUser]
  for (const { stop } of stops) stop.abort(new Error('interrupted'))
  return feed.accept(stops.length === 0 ? 'nothing is running' : undefined)
}

/** Changes the profile or the model from the next run on. */
async function changeAgent(
  { settings, runs, thread, feed }: SessionParts,
  command: CommandOf<'set_profile' | 'set_model'>,
): Promise<CommandReply> {
  const note = await settings.chooseAgent(command)
  runs.replies = { before: 0, here: 0 }
  const { profile, model } = settings.agent
  const payload = { profile: profile.name, model: model.id }
  await thread.report({ type: 'session.changed', payload })
  settings.followModel()
  return feed.accept(note)
}

async function runShell(session: SessionParts, command: CommandOf<'run_shell'>): Promise<CommandReply> {
  if (command.line.trim() === '') return { ok: false, code: 'bad_args', message: 'the command is empty' }
  const { turns, runs, feed } = session
  const refused = await turns.meetOtherDriver()
  if (refused) return refused
  const thread = await session.thread.open(`! ${command.line}`)
  await session.userCalls.runShell(thread, command, async () => {
    if (!turns.running) await runs.giveNotes(thread)
  })
  return feed.accept()
}

// One prompt, from its first block to the end of its run.
import { type ContentBlock, type PromptResponse, RequestError } from '@agentclientprotocol/sdk/unstable'
import { UserError } from '../base/errors.ts'
import type { CommandReply, SessionEvent } from '../session/client.ts'
import type { SessionCommand } from '../session/commands.ts'
import { refusedCommand, toRequestError } from './acp-errors.ts'
import type { AcpSessionState, PromptTurn, TurnEnd } from './acp-session-state.ts'
import { readPromptBlocks } from './prompt-content.ts'
import { readSlash } from './slash-commands.ts'
import { stopReasonOf } from './stop-reason.ts'

/**
 * Runs a prompt and resolves with its stop reason, also for a cancelled or denied prompt. Rejects
 * with RequestError if the session does not accept the prompt, if the run fails, and while another
 * prompt is running.
 */
export async function beginTurn(
  state: AcpSessionState,
  blocks: readonly ContentBlock[],
): Promise<PromptResponse> {
  if (state.turn) throw RequestError.invalidRequest(undefined, 'a prompt of this session is being answered')
  let finish: PromptTurn['finish'] = () => undefined
  const turnEnd = new Promise<TurnEnd>((resolve) => {
    finish = resolve
  })
  const turn: PromptTurn = { isDelivered: false, isCancelled: false, finish }
  state.turn = turn
  try {
    const reply = await sayPrompt(state, blocks)
    if (reply === 'done') return { stopReason: turn.isCancelled ? 'cancelled' : 'end_turn' }
    if (!reply.ok) {
      // a session that is closed, or interrupted by another client, stops a run before it begins
      if (turn.isCancelled || reply.code === 'stopped') return { stopReason: 'cancelled' }
      if (reply.code === 'denied') return { stopReason: 'refusal' }
      throw refusedCommand(reply)
    }
    // the user canceled the prompt before its run had started, so the run is stopped now
    if (turn.isCancelled) await state.send({ type: 'interrupt' })
    const end = await turnEnd
    if (end.kind === 'closed' || turn.isCancelled) return { stopReason: 'cancelled' }
    if (end.kind === 'broken') throw new RequestError(-32_603, end.why)
    return { stopReason: stopReasonOf(end.end) }
  } catch (error) {
    throw toRequestError(error)
  } finally {
    state.turn = undefined
  }
}

/**
 * Sends the prompt or executes its slash command. Returns the session's reply, or `done` if the command
 * has ended and its result was sent to the editor. Throws UserError for a prompt or an argument that
 * cannot be used.
 */
async function sayPrompt(
  state: AcpSessionState,
  blocks: readonly ContentBlock[],
): Promise<CommandReply | 'done'> {
  const message = readPromptBlocks(blocks)
  const text = typeof message.content === 'string' ? message.content : ''
  const slash = readSlash(text, state.choices.skills, state.view().model.id)
  if (slash.kind === 'command') return runCommand(state, slash.command, slash.done)
  if (slash.kind === 'verb') return runVerb(state, slash.words)
  const { name, input } = slash.kind === 'skill' ? slash : { name: undefined, input: '' }
  return state.send({
    type: 'say',
    ...message,
    skill: name === undefined ? undefined : { name, input },
    isCommand: slash.kind === 'prompt' ? true : undefined,
  })
}

async function runCommand(
  state: AcpSessionState,
  command: SessionCommand,
  done: string,
): Promise<CommandReply | 'done'> {
  let reply = await state.send(command)
  let text = done
  if (reply.ok && command.type === 'undo' && reply.undo) {
    const { id, files, left: skippedFiles } = reply.undo
    text = [
      ...(files.length > 0 ? [done, ...files.map(({ path }) => `- ${path}`)] : ['No files to restore.']),
      ...skippedFiles.map(({ path, why }) => `- ${path} stays as it is: ${why}`),
    ].join('\n')
    if (files.length > 0) reply = await state.send({ ...command, preview: id })
  }
  if (!reply.ok) return reply
  if (command.type === 'goal') {
    // a reply without a message means that a run has begun, and the prompt ends with that run
    if (reply.message === undefined) return reply
    text = reply.message
  }
  await state.notify({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  return 'done'
}

/**
 * Runs a command of the program outside of the session. The editor shows its report as the answer, and its
 * progress as the agent's thoughts. A failed command adds its exit code to the answer. Throws UserError where
 * the program cannot be started.
 */
async function runVerb(state: AcpSessionState, words: readonly string[]): Promise<'done'> {
  const { opened, turn } = state
  const [name] = words
  if (!opened.service.runVerb) throw new UserError(`/${name} works only where the program can be started`)
  const stop = new AbortController()
  if (turn) turn.stop = () => stop.abort(new Error('cancelled'))
  const tell = (text: string, stream: 'stdout' | 'stderr') =>
    state.notify({
      sessionUpdate: stream === 'stdout' ? 'agent_message_chunk' : 'agent_thought_chunk',
      content: { type: 'text', text },
    })
  const notices: Promise<void>[] = []
  const output = (text: string, stream: 'stdout' | 'stderr') => void notices.push(tell(text, stream))
  const { exit } = await opened.service.runVerb(words, { columns: 100, signal: stop.signal, output })
  await Promise.all(notices)
  if (exit !== 0 && !turn?.isCancelled) await tell(`\n[anode ${name} ended with exit code ${exit}]`, 'stdout')
  return 'done'
}

/** Applies an event to the prompt that is running; does nothing without one. */
export async function readTurnEvent(state: AcpSessionState, event: SessionEvent): Promise<void> {
  const { turn } = state
  if (!turn) return
  if (event.type === 'message' && event.payload.role === 'user' && event.payload.origin === undefined)
    turn.isDelivered = true
  if (event.type === 'model.notice' && event.payload.code === 'error')
    turn.finish({ kind: 'broken', why: event.payload.text })
  if (event.type !== 'run.ended') return
  if (turn.isDelivered) return turn.finish({ kind: 'ended', end: event.payload })
  const { queue } = state.view()
  if (turn.isCancelled) {
    for (const { id } of queue) await state.send({ type: 'unqueue', message: id })
    return turn.finish({ kind: 'ended', end: event.payload })
  }
  // after a run that was not done, queued messages wait; an empty message starts the next run with them
  if (event.payload.end !== 'done' && queue.length > 0) void state.send({ type: 'say', content: '' })
}

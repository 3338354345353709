// Command `/goal`: it sets a shell command that has to pass before a run of the session may end.

import { findScripts, isSentence } from '../../../proof/check-command.ts'
import { readGoal } from '../../../runtime/goal/goal-record.ts'
import { openStopGate, type RunGate, readGoalOrder } from '../../../runtime/run/stop-gate.ts'
import { openThreadRun } from '../../../runtime/run/thread-run.ts'
import type { CommandReply } from '../../../session/client.ts'
import { describeCheckRun } from '../../../session/view/check-run.ts'
import type { SessionParts } from '../session-parts.ts'
import { busyReply } from '../session-turns.ts'

const stopWords: ReadonlySet<string> = new Set(['stop', 'clear', 'off'])

/**
 * Shows the goal without an argument, runs its check for `check`, and removes the goal for `stop`, `clear`
 * and `off`. Any other argument becomes the new goal, and a run begins. Returns an error reply for a sentence
 * that is not a shell command, and for a new goal or a check while a run is active.
 */
export async function changeGoal(session: SessionParts, argument: string): Promise<CommandReply> {
  const text = argument.trim()
  if (text === '') {
    await session.turns.ending()
    return showGoal(session)
  }
  if (stopWords.has(text)) return stopGoal(session)
  if (text === 'check') return checkGoal(session)
  return setGoal(session, text)
}

async function setGoal({ context, turns, runs }: SessionParts, command: string): Promise<CommandReply> {
  if (isSentence(command, context.workspace, context.env)) {
    const scripts = findScripts(context.workspace).map((script) => `/goal ${script}`)
    return {
      ok: false,
      code: 'bad_args',
      message: `a goal is a command that ends with 0: "${command}" is a sentence`,
      hint: scripts.length > 0 ? `found here: ${scripts.join(', ')}` : 'for example: /goal npm test',
    }
  }
  if (turns.running) return busyReply
  runs.goal = readGoalOrder([command])
  const reply = await turns.say({ content: `Work until this command passes: ${command}`, files: [] })
  // if the run did not begin, its goal is dropped
  if (!reply.ok) runs.goal = undefined
  return reply
}

const missing = 'no goal is set; /goal npm test sets one'

async function findGoal({ thread }: SessionParts) {
  return thread.isStored ? readGoal(await thread.store(), thread.id) : undefined
}

async function showGoal(session: SessionParts): Promise<CommandReply> {
  const { feed, turns } = session
  const goal = await findGoal(session)
  if (!goal) return feed.accept(missing)
  const last = goal.history.at(-1)
  const lines = last ? describeCheckRun(last).map(({ mark, text }) => `${mark} ${text}`) : ['no check yet']
  const state = turns.running ? 'active' : 'paused: your next message resumes it'
  return feed.accept(`goal: ${goal.terms.commands.join(', ')}; ${[...lines, state].join('; ')}`)
}

async function stopGoal(session: SessionParts): Promise<CommandReply> {
  const { feed, thread, runs } = session
  runs.goal = undefined
  if (!(await findGoal(session))) return feed.accept(missing)
  await thread.report({ type: 'goal.changed', payload: { goal: null, why: 'stood_down' } })
  ;(await thread.open('')).record.flush()
  return feed.accept('the goal has ended')
}

async function checkGoal(session: SessionParts): Promise<CommandReply> {
  const { feed, thread, turns, runs } = session
  if (turns.running) return busyReply
  if (!(await findGoal(session))) return feed.accept(missing)
  return turns.exclude(async ({ signal }) => {
    const opened = await thread.open('untitled')
    const record = opened.recordRun()
    const runtime = await runs.awaitParts(signal)
    const options = { ...runs.options(opened, record, signal), runtime, thread: thread.id }
    let gate: RunGate | undefined
    await openThreadRun(options, undefined, async (ctx, hooks) => {
      gate = await openStopGate(options, ctx, hooks)
      return gate
    })
    await gate?.checkNow()
    record.flush()
    return signal.aborted ? feed.accept('stopped before the check had ended') : showGoal(session)
  })
}

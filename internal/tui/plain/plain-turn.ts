// The effect of a line that is typed on the plain screen: an answer, a command, or a message to the model.

import { hasRun } from '../inline/busy-session.ts'
import { readSkills } from '../input/session-skills.ts'
import { answerChoice, closeChoice } from './plain-choice.ts'
import { runPlainCommand } from './plain-command.ts'
import { queueLines } from './plain-events.ts'
import { readLine } from './plain-input.ts'
import { leavePlain, stayHere } from './plain-leave.ts'
import { answerPermission, answerQuestion, askAgain, denyWithWords } from './plain-questions.ts'
import { minReadingMs, type PlainState, sendCommand } from './plain-state.ts'
import { sayWords } from './say-words.ts'

/** Handles a typed line. `at` is the time at which the line arrived. */
export async function takeLine(state: PlainState, line: string, at = Date.now()): Promise<void> {
  const typed = line.trim()
  const isOver = state.prompt.choice !== undefined
  if (!(await answerChoice(state, typed, at)) && !(await answerOpenQuestion(state, line, at)))
    await doLine(state, typed)
  // A question that waited during the choice is printed again, because its text is far above.
  if (isOver && !state.prompt.choice) askAgain(state)
}

/**
 * Uses the line as an answer to the open question, if one is open. Returns false if the line must be handled
 * otherwise, such as a line that was typed before the question.
 */
async function answerOpenQuestion(state: PlainState, line: string, at: number): Promise<boolean> {
  const {
    prompt: { question },
  } = state
  const typed = line.trim()
  if (!question) return false
  if (at - question.since < minReadingMs) {
    // The line was typed before the question appeared, so it is not an answer.
    state.printer.print(['a question came while you typed; the line was not taken as an answer'])
    return typed === ''
  }
  if (question.kind === 'permission') return await answerPermission(state, question.call, typed)
  if (question.kind === 'reason') {
    const permission = state.conversation.view.waits.find(({ call }) => call === question.call)
    const answer = denyWithWords(permission, line)
    await sendCommand(state, { type: 'answer_permission', call: question.call, answer })
    return true
  }
  const { kind } = readLine(typed)
  if (kind === 'command' || kind === 'own') return false
  await answerQuestion(state, typed)
  return true
}

async function doLine(state: PlainState, line: string): Promise<void> {
  let meaning = readLine(line, state.composer.skills)
  if (meaning.kind === 'refused' && !state.composer.skills)
    meaning = readLine(line, await readSkills(state.screen.service, state.composer))
  switch (meaning.kind) {
    case 'nothing':
      return await sayWords(state, '')
    case 'refused':
      return state.printer.print([meaning.message])
    case 'own':
      return await runLineCommand(state, meaning.name)
    case 'command':
      return runPlainCommand(state, meaning.name, meaning.argument)
    case 'skill': {
      const { name, input, text } = meaning
      return void (await sendCommand(state, { type: 'say', content: text, skill: { name, input } }))
    }
    case 'shell':
      return void (await sendCommand(state, { type: 'run_shell', line: meaning.line, tell: meaning.tell }))
    case 'say':
      return await sayWords(state, meaning.text, meaning)
  }
}

async function runLineCommand(state: PlainState, name: 'stop' | 'unqueue'): Promise<void> {
  const last = state.conversation.view.queue.at(-1)
  if (name === 'stop' && state.screen.verb) state.screen.verb.stop.abort(new Error('stopped'))
  else if (name === 'stop') await sendCommand(state, { type: 'interrupt' })
  else if (last) await sendCommand(state, { type: 'unqueue', message: last.id })
  else state.printer.print(queueLines([]))
}

const leaveWithinMs = 2_000

/**
 * Handles Ctrl-C: closes a choice, cancels a pending leave, or stops a command or the run. If none of them is
 * active, leaves at the second key within two seconds, or asks the user if other work would end.
 */
export async function interruptScreen(state: PlainState): Promise<void> {
  const isIdle = !hasRun(state.conversation.view) && state.conversation.sending === 0
  const isFree = isIdle && !state.screen.verb && !state.prompt.choice
  const isSecond = isFree && Date.now() - state.screen.lastInterrupt < leaveWithinMs
  // A Ctrl-C that stops something does not count as the first of the two keys for leaving.
  state.screen.lastInterrupt = isFree ? Date.now() : 0
  if (state.prompt.choice) {
    closeChoice(state)
    askAgain(state)
  } else if (stayHere(state)) return
  else if (state.screen.verb) state.screen.verb.stop.abort(new Error('stopped'))
  else if (isSecond) leavePlain(state)
  else if (isIdle) state.printer.print(['Ctrl-C again leaves'])
  else await sendCommand(state, { type: 'interrupt' })
}

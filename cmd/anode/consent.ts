// Decisions that only a user may make: the question at a terminal, and the error for a command that
// an agent runs.
import { createInterface } from 'node:readline'
import { UserError } from '../../internal/base/errors.ts'
import { filterPrintedText } from '../../internal/render/text/terminal-filter.ts'
import { isAgentCommand } from '../../internal/runtime/workspace/agent-command.ts'
import { exitCodes } from './exit-codes.ts'
import type { CommandIo } from './verb.ts'

/**
 * Resolves when the user has typed `yes` to `question`. Throws UserError for any other answer, in a command
 * that an agent runs, and without a terminal. Without a terminal, `instead` is the hint of the error.
 */
export async function demandConsent(question: string, instead: string, io: CommandIo): Promise<void> {
  refuseAgents(io)
  if (!isTerminal(io)) {
    throw new UserError('this question needs a terminal, and standard input is not one', {
      hint: instead,
      exit: exitCodes.denied,
    })
  }
  if (!(await readYes(question, io)))
    throw new UserError('nothing was changed, because the answer was not yes', {
      exit: exitCodes.denied,
    })
}

/** Returns true if standard input and standard error are terminals, so that a question can be asked. */
export const isTerminal = ({ stdin }: CommandIo): boolean =>
  'isTTY' in stdin && stdin.isTTY === true && process.stderr.isTTY === true

/**
 * Asks the question. Resolves to true if the user types `yes`, and to false for another answer, the end of
 * the input or an interruption.
 */
export async function readYes(question: string, io: CommandIo): Promise<boolean> {
  const { stdin } = io
  const lines = createInterface({ input: stdin, output: process.stderr, terminal: false })
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''))
      const leaveQuestion = () => resolve('')
      io.signal.addEventListener('abort', leaveQuestion, { once: true })
      if (io.signal.aborted) leaveQuestion()
      lines.question(`${filterPrintedText(question)} Type yes: `, resolve)
    })
    return answer.trim() === 'yes'
  } finally {
    lines.close()
    stdin.pause()
  }
}

/**
 * Throws UserError if an Anode of this user is a parent of this process, at any distance, because an agent
 * may then have started this command. A script that the user starts outside Anode is accepted.
 */
export function refuseAgents(io: Pick<CommandIo, 'env'>): void {
  if (!isAgentCommand(io.env)) return
  throw new UserError('only a user may decide this, not a command of an agent', {
    hint: 'run it in your own terminal',
    exit: exitCodes.denied,
  })
}

// Decisions that only a person may take: asked for on a terminal, never taken from a script or an agent.
import { createInterface } from 'node:readline'
import { UserError } from '../../internal/base/errors.ts'
import { filterPrintedText } from '../../internal/render/text/terminal-filter.ts'
import { isAgentCommand } from '../../internal/runtime/workspace/agent-command.ts'
import { exitCodes } from './exit-codes.ts'
import type { CommandIo } from './verb.ts'

/**
 * Resolves when a person has typed `yes` to `question`. Throws UserError below a running Anode, without a
 * terminal, and for any other answer. `instead` is what a script can do.
 */
export async function demandConsent(question: string, instead: string, io: CommandIo): Promise<void> {
  refuseAgents(io)
  const { stdin } = io
  if (!('isTTY' in stdin && stdin.isTTY) || !process.stderr.isTTY) {
    throw new UserError('this is asked on a terminal, and there is none', {
      hint: instead,
      exit: exitCodes.denied,
    })
  }
  const lines = createInterface({ input: stdin, output: process.stderr, terminal: false })
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''))
      io.signal.addEventListener('abort', () => resolve(''), { once: true })
      lines.question(`${filterPrintedText(question)} Type yes: `, resolve)
    })
    if (answer.trim() !== 'yes') throw new UserError('nothing was changed', { exit: exitCodes.denied })
  } finally {
    lines.close()
    stdin.pause()
  }
}

/** Throws UserError when a command of an agent decides what only a person may; a person's script may. */
export function refuseAgents(io: Pick<CommandIo, 'env'>): void {
  if (!isAgentCommand(io.env)) return
  throw new UserError('only a person may decide this, not a command of an agent', {
    hint: 'run it in a terminal of your own',
    exit: exitCodes.denied,
  })
}

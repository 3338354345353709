// The source of answers to the questions of a run on this machine: a file of answers, or the user
// at a terminal.
import { existsSync } from 'node:fs'
import { UserError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import type { UserOptions, UserTerminal } from '../../runtime/features.ts'
import type { UserChannel } from '../../tool/ctx.ts'

/**
 * Opens the channel to a file of answers, else to the user at a terminal. Returns undefined without both.
 * Throws UserError if the file does not exist.
 */
export function openUser(options: UserOptions): UserChannel | undefined {
  const { answers, terminal } = options
  if (answers === undefined && terminal === undefined) return undefined
  // a missing file is reported here, before the first paid request, and not with the first question
  if (answers !== undefined && !existsSync(answers))
    throw new UserError(`--answers: ${answers} does not exist`, { hint: 'name a file that exists' })
  const opened = once(async () => {
    if (answers !== undefined) return (await import('../../tui/answer-file.ts')).openAnswerFileUser(answers)
    return openTerminalUser(terminal as UserTerminal, options)
  })
  return { ask: async (prompt, signal) => (await opened()).ask(prompt, signal) }
}

async function openTerminalUser(
  { stdin, stderr, interrupt }: UserTerminal,
  { env, isNumbered = () => false }: UserOptions,
): Promise<UserChannel> {
  const { terminalUser } = await import('../../tui/prompt.ts')
  return terminalUser({ input: stdin, output: stderr, env, isNumbered, interrupt })
}

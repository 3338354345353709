// The question to the user about a tool call of a worker that is another program and runs without a sandbox.
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { BuildRun } from '../../../internal/service/build/build-leader.ts'
import { confirmAtTerminal } from '../io/confirm.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'

/**
 * Returns a function that asks the user about one call at a time, and resolves to true only if the user
 * allows it. Returns undefined with `--yes`, or if standard input or standard error is not a terminal. `lend`
 * frees the terminal for a question.
 */
export function askAboutCalls(
  args: CommandArgs,
  io: CommandIo,
  lend: <T>(use: () => Promise<T>) => Promise<T>,
): BuildRun['onCall'] {
  if (flagArg(args, 'yes') || !io.stdin.isTTY || !io.stderr.isTTY) return undefined
  let last: Promise<unknown> = Promise.resolve()
  return ({ worker, task, title, kind }) => {
    const what = sanitizeText([kind, title].filter((part) => part).join(' '))
    const turn = last.then(() => lend(() => confirmCall(`${worker}, task ${task}, no sandbox: ${what}?`, io)))
    last = turn.catch(() => undefined)
    return turn
  }
}

async function confirmCall(message: string, io: CommandIo): Promise<boolean> {
  return confirmAtTerminal(message, io, { active: 'allow once', inactive: 'deny' })
}

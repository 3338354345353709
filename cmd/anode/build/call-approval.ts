// The question about a call of another program that runs without a sandbox.
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { BuildRun } from '../../../internal/service/build/build-leader.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'

/**
 * Returns the function that asks the user, one question at a time. Returns undefined with `--yes` and without
 * a terminal, because no user answers then. `lend` gives the terminal to a question.
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
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({
    message,
    active: 'allow once',
    inactive: 'deny',
    initialValue: false,
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
  return answer === true
}

// The judgment of text that is typed into a terminal, for permission rules: a command line, with a reason for
// doubt if the text may have another effect than that command.
import { FailureError } from '../../base/errors.ts'
import type { CallScope } from '../../policy/level.ts'
import { analyzeLine } from '../../policy/shell/line-analysis.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { TerminalState, TerminalTable } from '../../tool/terminals.ts'

/**
 * Returns the terminals of the session and the state of the terminal `id`. Throws FailureError `not_found`
 * for an unknown id.
 */
export function findTerminal(ctx: Ctx, id: string): { table: TerminalTable; state: TerminalState } {
  const table = ctx.can.processes.terminals?.opened
  const state = table?.find(id)
  if (table && state) return { table, state }
  const terminalIds = table?.list().map((one) => one.id) ?? []
  const hint =
    terminalIds.length > 0 ? `Known: ${terminalIds.join(', ')}.` : 'None is open: `terminal_start` opens one.'
  throw new FailureError({
    code: 'not_found',
    message: `Session not found: ${id}`,
    hint,
    detail: { known: terminalIds },
  })
}

type CommandScope = Extract<CallScope, { kind: 'command' }>

/**
 * Matches control characters other than tabs and line feeds. Such keys control programs or end their input.
 */
const steering = /[\0-\x08\x0b-\x1f\x7f-\x9f]/

/**
 * Returns the scope by which permission rules judge text that is typed into a terminal. It has the command
 * line so far and the present directory of the shell. `doubt` is set if another program may read the text, if
 * the shell may read the text in another way, and for an unknown terminal.
 */
export function judgeTerminalInput(ctx: Ctx | undefined, id: string, text: string): CommandScope {
  const table = ctx?.can.processes.terminals?.opened
  if (!table?.find(id)) return { kind: 'command', line: text, typed: { doubt: 'the terminal is unknown' } }
  const { folder, typed } = table.lookAtInput(id)
  const line = typed + text
  const doubt =
    folder === undefined
      ? 'another program than a shell may read it'
      : steering.test(text)
        ? 'it holds control characters'
        : !text.endsWith('\n')
          ? 'it is not a whole line'
          : undefined
  const at = folder === undefined ? {} : { cwd: folder }
  return {
    kind: 'command',
    line: line.replace(/\n$/, ''),
    ...at,
    typed: doubt === undefined ? {} : { doubt },
  }
}

/**
 * Returns true if Anode can parse the text as complete commands, so that the shell does not wait for more
 * text. False for any text that it cannot parse.
 */
export async function isWholeCommand(typed: string): Promise<boolean> {
  return (await analyzeLine(typed)).opaque === undefined
}

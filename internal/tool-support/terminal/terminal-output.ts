// Results of the terminal tools: the state of a terminal, and its output since the last read.
import * as z from 'zod/mini'
import type { Ctx } from '../../tool/ctx.ts'
import { field, filledText } from '../../tool/field.ts'
import { type ToolResult, withNotes } from '../../tool/result.ts'
import type { TerminalState } from '../../tool/terminals.ts'
import { findTerminal } from './terminal-input.ts'

const maxYieldMs = 60_000
const maxOutputChars = 200_000

export const sessionId = field(filledText(), 'Such as term_1.')

/** Parameters that limit the wait for output of a terminal and the length of that output. */
export const outputLimits = {
  yield_time_ms: field(z._default(z.int().check(z.gte(0)), 200), 'Milliseconds to wait for output.', {
    cap: maxYieldMs,
  }),
  max_output_chars: field(z._default(z.int().check(z.gte(1)), 16_384), 'The rest waits for the next look.', {
    cap: maxOutputChars,
  }),
}

export const terminalAvailable = (ctx: Ctx): true | string =>
  ctx.can.processes.terminals ? true : 'no processes may be started here'

export function showTerminal({ id, pid, cwd, shell, alive, returncode }: TerminalState): ToolResult {
  const data = { session_id: id, pid, cwd, shell, alive, returncode }
  return { text: `${id}: ${shell} in ${cwd}, ${describeLife({ alive, returncode })}`, data }
}

export async function readTerminal(
  ctx: Ctx,
  id: string,
  { ms, maxChars }: { ms: number; maxChars: number },
): Promise<ToolResult> {
  const { table } = findTerminal(ctx, id)
  const { text, remaining, dropped } = await table.read(id, { ms, maxChars, signal: ctx.signal })
  const { state } = findTerminal(ctx, id)
  const { alive, returncode } = state
  const notes = [
    describeLife(state),
    ...(remaining > 0 ? [`${remaining} more characters wait`] : []),
    ...(dropped > 0 ? [`${dropped} characters before this were lost`] : []),
  ]
  const counts = { output_chars: text.length, remaining_output_chars: remaining }
  const data = {
    session_id: id,
    alive,
    returncode,
    ...counts,
    dropped_output_chars: dropped,
    truncated: remaining > 0 || dropped > 0,
  }
  const shownText = withNotes(text.replace(/\n$/, ''), [`[${id}: ${notes.join('; ')}]`])
  return { text: shownText, data, raw: { output: text.replace(/\n$/, '') } }
}

function describeLife({ alive, returncode }: Pick<TerminalState, 'alive' | 'returncode'>): string {
  if (alive) return 'alive'
  return returncode === null ? 'ended by a signal' : `ended with exit ${returncode}`
}

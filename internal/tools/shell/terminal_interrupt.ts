// The tool terminal_interrupt: sends Ctrl-C to the program in the foreground of a terminal.
import * as z from 'zod/mini'
import { defineTool } from '../../tool/tool.ts'
import { findTerminal } from '../../tool-support/terminal/terminal-input.ts'
import {
  outputLimits,
  readTerminal,
  sessionId,
  terminalAvailable,
} from '../../tool-support/terminal/terminal-output.ts'
import about from './terminal_interrupt.md'

/**
 * Longest time in milliseconds to wait for the first output. A shell prints a line feed for Ctrl-C, which
 * takes time on a busy machine.
 */
const firstOutputMs = 2_000
/** Time in milliseconds to wait for more output after the first. */
const waitMs = 200

export const terminalInterrupt = defineTool({
  name: 'terminal_interrupt',
  about,
  offer: { optional: true },
  level: 'state_write',
  input: z.object({ session_id: sessionId, max_output_chars: outputLimits.max_output_chars }),
  example: { session_id: 'term_1' },
  clip: { chars: 210_000, lines: Number.POSITIVE_INFINITY, keep: 'ends' },
  available: terminalAvailable,
  async run({ session_id, max_output_chars }, ctx) {
    await findTerminal(ctx, session_id).table.interrupt(session_id, firstOutputMs, ctx.signal)
    return readTerminal(ctx, session_id, { ms: waitMs, maxChars: max_output_chars })
  },
})

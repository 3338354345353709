// The tool terminal_interrupt: Ctrl-C for the program in the foreground of a terminal.
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

/** Programs say something when they are interrupted. */
const waitMs = 200

export const terminalInterrupt = defineTool({
  name: 'terminal_interrupt',
  about,
  optional: true,
  level: 'state_write',
  input: z.object({ session_id: sessionId(), max_output_chars: outputLimits.max_output_chars }),
  example: { session_id: 'term_1' },
  clip: { chars: 210_000, lines: Number.POSITIVE_INFINITY, keep: 'ends' },
  scope: () => [],
  available: terminalAvailable,
  run({ session_id, max_output_chars }, ctx) {
    findTerminal(ctx, session_id).table.interrupt(session_id)
    return readTerminal(ctx, session_id, { ms: waitMs, maxChars: max_output_chars })
  },
})

// The tool terminal_read: returns the output of a terminal since the last read.
import * as z from 'zod/mini'
import { defineTool } from '../../tool/tool.ts'
import {
  outputLimits,
  readTerminal,
  sessionId,
  terminalAvailable,
} from '../../tool-support/terminal/terminal-output.ts'
import about from './terminal_read.md'

export const terminalRead = defineTool({
  name: 'terminal_read',
  about,
  offer: { optional: true },
  alone: true,
  level: 'auto_read',
  input: z.object({ session_id: sessionId, ...outputLimits }),
  example: { session_id: 'term_1', yield_time_ms: 5_000 },
  clip: { chars: 210_000, lines: Number.POSITIVE_INFINITY, keep: 'ends' },
  available: terminalAvailable,
  run: ({ session_id, yield_time_ms, max_output_chars }, ctx) =>
    readTerminal(ctx, session_id, { ms: yield_time_ms, maxChars: max_output_chars }),
})

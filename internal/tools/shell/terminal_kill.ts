// The tool terminal_kill: ends a terminal and every process that was started in it.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { findTerminal } from '../../tool-support/terminal/terminal-input.ts'
import { sessionId, showTerminal, terminalAvailable } from '../../tool-support/terminal/terminal-output.ts'
import about from './terminal_kill.md'

export const terminalKill = defineTool({
  name: 'terminal_kill',
  about,
  offer: { optional: true },
  level: 'state_write',
  input: z.object({
    session_id: sessionId,
    force: field(z._default(z.boolean(), false), 'true: end programs at once'),
  }),
  example: { session_id: 'term_1' },
  available: terminalAvailable,
  async run({ session_id, force }, ctx) {
    return showTerminal(await findTerminal(ctx, session_id).table.kill(session_id, force))
  },
})

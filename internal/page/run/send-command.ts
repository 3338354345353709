// Type of the function with which the parts of a run's page send commands to the run.
import type { CommandReply } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'

/**
 * Sends a command. Resolves to undefined if the command was not carried out; the reason is then shown
 * on the page.
 */
export type SendCommand = (
  command: SessionCommand,
) => Promise<Extract<CommandReply, { ok: true }> | undefined>

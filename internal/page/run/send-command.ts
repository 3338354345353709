// What the parts of a run's page send to it.
import type { CommandReply } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'

/** Resolves with undefined where it was not done; what went wrong is shown. */
export type SendCommand = (
  command: SessionCommand,
) => Promise<Extract<CommandReply, { ok: true }> | undefined>

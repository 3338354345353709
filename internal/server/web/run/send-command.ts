// What the parts of a run's page send to it.
import type { SessionCommand } from '../../../session/commands.ts'

/** Resolves with whether it was done; what went wrong is shown. */
export type SendCommand = (command: SessionCommand) => Promise<boolean>

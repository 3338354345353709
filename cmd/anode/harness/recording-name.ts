// Names of recordings in commands.
import type { CommandPositional } from '../verb.ts'

export const recordingPositional: CommandPositional = {
  name: 'RECORDING',
  describe: 'Id, unique prefix of one, or last (default)',
}

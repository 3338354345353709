// The names by which commands refer to recordings.
import type { CommandPositional } from '../verb.ts'

export const recordingPositional: CommandPositional = {
  name: 'RECORDING',
  describe: 'Id, unique prefix of one, or last (default)',
}

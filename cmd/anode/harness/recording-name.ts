// The argument of commands that names a recording.
import type { CommandPositional } from '../verb.ts'

export const recordingPositional: CommandPositional = {
  name: 'RECORDING',
  describe: 'Id, unique prefix of one, or last (default)',
}

// The argument of commands that names a study.
import type { CommandPositional } from '../verb.ts'

export const studyPositional: CommandPositional = {
  name: 'ID',
  describe: 'Id of the study, a unique beginning of it, or last (the default): the newest of this project',
}

export const readStudyName = (args: { readonly [name: string]: unknown }): string => String(args.ID ?? 'last')

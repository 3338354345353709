// How the commands about one study name it.
import type { Positional } from '../verb.ts'

export const studyName: Positional = {
  name: 'ID',
  describe: 'Id of the study, a unique beginning of it, or last (the default): the newest of this project',
}

export const nameOf = (args: { readonly [name: string]: unknown }): string => String(args.ID ?? 'last')

// The sources of a study as a person names them.
import { UserError } from '../../base/errors.ts'
import { type StudySource, sourceKinds } from '../../study/log/entries.ts'

/** `repo,web` as sources, each once and in their own order. Throws UserError for a name that is none. */
export function parseSourceNames(text: string): StudySource[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!(sourceKinds as readonly string[]).includes(name)) {
      throw new UserError(`--sources: there is no source ${name || '(empty)'}`, {
        hint: 'any of repo,web,mcp',
      })
    }
  }
  return sourceKinds.filter((source) => names.includes(source))
}

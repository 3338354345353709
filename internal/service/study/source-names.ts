// Names of a study's sources as the command line accepts them.
import { UserError } from '../../base/errors.ts'
import { type StudySource, sourceKinds } from '../../study/log/entries.ts'

/**
 * Parses a list such as `repo,web`. Returns each source once in a fixed order. Throws UserError for
 * an unknown name.
 */
export function parseSourceNames(text: string): StudySource[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!(sourceKinds as readonly string[]).includes(name)) {
      throw new UserError(`--sources: unknown source "${name}"`, {
        hint: 'any of repo,web,mcp',
      })
    }
  }
  return sourceKinds.filter((source) => names.includes(source))
}

// Checks the names of tools that a person narrows a run to.
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { globOf } from '../tool-registry.ts'

/** Throws UserError for names and globs that match no tool, with the nearest names. */
export function checkToolNames(wanted: readonly string[] | undefined, names: readonly string[]): void {
  const lost = (wanted ?? []).filter((pattern) => !names.some((name) => globOf(pattern).test(name)))
  if (lost.length === 0) return
  const near = lost
    .map((pattern) => suggestNames(pattern.toLowerCase().replaceAll('-', '_'), names))
    .find(Boolean)
  throw new UserError(`--allow-tool ${lost.join(', ')}: there is no such tool`, {
    hint: near ? `${near} (all: anode tools list --all)` : 'see `anode tools list --all`',
  })
}

// Names of models that read or write a file, which only the user may set.
import { UserError } from '../errors.ts'

/**
 * Matches the name of a model that reads or writes a file. Leading spaces and invisible characters are
 * skipped, and letter case does not count.
 */
const fileModel = /^[\s\p{C}\p{Z}]*(?:script|record|replay)[\s\p{C}\p{Z}]*:/iu

/**
 * Returns true if `spec`, a model or a list with commas, contains a `script:`, `record:` or `replay:` model.
 */
export function namesFileModel(spec: string): boolean {
  return spec
    .normalize('NFKC')
    .split(',')
    .some((name) => fileModel.test(name))
}

/**
 * Returns the error message for a model that reads or writes a file. `place` is where it is not allowed, for
 * example "a tool call".
 */
export function fileModelMessage(spec: string, place: string): string {
  const label = spec.length > 120 ? `${spec.slice(0, 119)}…` : spec
  return `the model ${JSON.stringify(label)} is a file: script:, record: and replay: are refused in ${place}`
}

export const fileModelHint =
  'name a model of a provider, as `anode models` lists them; only --model, ANODE_CONFIG ' +
  'and your own configuration may name a file'

/** Throws UserError for a model that reads or writes a file. */
export function refuseFileModel(spec: string, place: string): void {
  if (namesFileModel(spec)) throw new UserError(fileModelMessage(spec, place), { hint: fileModelHint })
}

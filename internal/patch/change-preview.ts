// Preview of one file's change, for a user before the change is made.
import { diffTexts } from './diff.ts'

/**
 * Returns the preview of a change of the file at `path`. `old` is null if the file does not exist before the
 * change, `fresh` if it does not exist after it. `what` describes the change in a few words.
 */
export async function previewChange(path: string, what: string, old: string | null, fresh: string | null) {
  const { text, added, removed } = await diffTexts(path, old, fresh)
  // The first two lines of the diff are file headers, which the preview does not show.
  const hunks = text.split('\n').slice(2).join('\n')
  return { path, what, hunks, added, removed }
}

// Preview of one file's change, for a user before the change is made.
import { diffTexts } from './diff.ts'

/** Returns a preview; `null` means that the file does not exist. `what` is one word for the change. */
export async function previewChange(path: string, what: string, old: string | null, fresh: string | null) {
  const { text, added, removed } = await diffTexts(path, old, fresh)
  // the first two lines are the file headers
  const hunks = text.split('\n').slice(2).join('\n')
  return { path, what, hunks, added, removed }
}

// One file's change for a person to look at before it is made.
import { diffTexts } from './diff.ts'

/** `null` stands for a file that does not exist. `what` says in a word what happens to the file. */
export async function previewChange(path: string, what: string, old: string | null, fresh: string | null) {
  const { text, added, removed } = await diffTexts(path, old, fresh)
  // the first two lines name the file
  const hunks = text.split('\n').slice(2).join('\n')
  return { path, what, hunks, added, removed }
}

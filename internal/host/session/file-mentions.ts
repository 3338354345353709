// Files and folders that a person may mean with a few letters behind `@`.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import type { RunCommand } from '../../process/process-command.ts'
import { textOfBytes } from '../../search/byte-name.ts'
import { listFiles } from '../../search/file-list.ts'
import { collectBest, createScorer } from '../../search/fuzzy-score.ts'
import { ripgrepPrograms } from '../../search/ripgrep/ripgrep.ts'
import type { MentionChoice } from '../../session/client.ts'

/** Best first; sensitive names and what git ignores are left out. */
export async function findFileMentions(
  workspace: string,
  run: RunCommand,
  { query, limit, signal }: { query: string; limit: number; signal: AbortSignal },
): Promise<MentionChoice[]> {
  const score = createScorer(query, false)
  const kept = collectBest<MentionChoice>(limit, ({ path }) => path)
  const folders = new Set<string>()
  const consider = (choice: MentionChoice) => {
    const points = query.trim() === '' ? 0 : score(choice.path.replace(/\/$/, ''))
    if (points !== undefined) kept.add(choice, points)
  }
  const dir = realpathSync(workspace)
  const tree = { dir, top: dir, hidden: false, guarded: true }
  const means = { run, signal, timeoutMs: 5_000, programs: ripgrepPrograms() }
  await listFiles(tree, means, (names) => {
    for (const name of names) {
      const path = textOfBytes(name)
      consider({ path, kind: 'file' })
      for (let at = dirname(path); at !== '.' && !folders.has(at); at = dirname(at)) {
        folders.add(at)
        consider({ path: `${at}/`, kind: 'directory' })
      }
    }
  })
  return kept.ranked().map(({ item }) => item)
}

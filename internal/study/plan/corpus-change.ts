// Tells from names and times alone that a corpus is as it was, so that nobody has to read it again for that.
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { codeOf } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { StudyHead } from '../log/entries.ts'
import { listCorpus } from './corpus-files.ts'

/** File systems tell time more coarsely than clocks. */
const clockSlackMs = 1000

const filesPerTurn = 1000

/**
 * True where all names are those of the survey and nothing below the root, folders included, was touched
 * since it began. False says nothing: what was touched may still be the same, and reading it tells. Rejects
 * as `listCorpus` does.
 */
export async function isCorpusUntouched(
  { root, surveyed }: Pick<StudyHead, 'root' | 'surveyed'>,
  run: RunCommand | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (!surveyed) return false
  const { names } = await listCorpus(root, run, signal)
  if (fingerprint(names.join('\n')) !== surveyed.names) return false
  const until = surveyed.at - clockSlackMs
  const folders = new Set<string>(['.'])
  for (const [i, name] of names.entries()) {
    if (i % filesPerTurn === 0) await setImmediate(undefined, { signal })
    if (!isOlder(join(root, name), until)) return false
    for (let at = dirname(name); !folders.has(at); at = dirname(at)) folders.add(at)
  }
  return [...folders].every((folder) => isOlder(join(root, folder), until))
}

/** The time of the last change counts: unlike that of the content nobody can set it back. */
function isOlder(path: string, until: number): boolean {
  try {
    return lstatSync(path).ctimeMs < until
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}

// Quick check, by names and times alone, whether a corpus is unchanged, so that its files need not
// be read again.
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { codeOf } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { StudyCorpus } from '../log/study-conditions.ts'
import { listCorpus } from './corpus-files.ts'

/** Milliseconds of tolerance, because file systems store times less exactly than clocks give them. */
const clockSlackMs = 1000

const filesPerTurn = 1000

/**
 * Returns true if the names are those of the survey, and no listed file and no directory above one has
 * changed since one second before the survey. False without a survey. If false, the files may still be equal,
 * because a time may change without the content. Rejects like `listCorpus`, and if the signal aborts.
 */
export async function isCorpusUntouched(
  { root, surveyed }: Pick<StudyCorpus, 'root' | 'surveyed'>,
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

/**
 * Returns true if the path was last changed before `until`, in milliseconds since 1970; false if it cannot be
 * examined. The change time is used, because no program can set it back.
 */
function isOlder(path: string, until: number): boolean {
  try {
    return lstatSync(path).ctimeMs < until
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}

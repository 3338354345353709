// Check by names and times alone that a corpus is unchanged, which saves reading it again.
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { codeOf } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { StudyHead } from '../log/entries.ts'
import { listCorpus } from './corpus-files.ts'

/** Tolerance in milliseconds, because file systems store times more coarsely than clocks. */
const clockSlackMs = 1000

const filesPerTurn = 1000

/**
 * Returns true if all names match the survey and nothing below the root, including directories, has changed
 * since it began. False proves no change, because a changed time can leave the same content; only reading the
 * files tells. Rejects as `listCorpus` does.
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

/**
 * Returns whether the last change of the path was before `until`. Uses the change time, because no program
 * can set it back, unlike the modification time.
 */
function isOlder(path: string, until: number): boolean {
  try {
    return lstatSync(path).ctimeMs < until
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}

// Comparison of the files of a study with those of a worker, by a list that the study stores on the server.
import { countNoun } from '../../base/text/count-noun.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { StudyHead } from '../../study/log/entries.ts'
import { surveyCorpus } from '../../study/plan/corpus.ts'
import type { RedisServer } from '../../study/redis/server.ts'

/**
 * Largest number of files in a list. For studies with more files, no list is stored, so differences
 * are not explained.
 */
const maxFiles = 20_000

/** Largest number of differing files that are named. Further files are only counted. */
const maxNamed = 5

/**
 * Milliseconds for which a list is stored after the deadline of its study. `checkMs` is the shortest time
 * between two checks whether it is needed.
 */
const graceMs = 60_000
const checkMs = 2_000

const keyOf = (corpus: string) => `anode:files:${corpus}`

interface FileOffer {
  /**
   * Stores the list of files on the server once `isNeeded` resolves to true. Calls `isNeeded` at most once in
   * 2 seconds. Never rejects, because the list only explains differences between files.
   */
  check(isNeeded: () => Promise<boolean>): Promise<void>
}

/** Offers the list of a study's files. The files are read again only if the list is needed. */
export function offerFiles(
  server: RedisServer,
  { corpus, root, deadline }: StudyHead,
  run: RunCommand | undefined,
  signal: AbortSignal,
): FileOffer {
  let isStored = false
  let checkedMs = Number.NEGATIVE_INFINITY
  return {
    async check(isNeeded) {
      if (isStored || performance.now() - checkedMs < checkMs) return
      checkedMs = performance.now()
      try {
        if (!(await isNeeded())) return
        isStored = true
        const { id, lines } = await surveyCorpus(root, [], run, { signal })
        if (id !== corpus || lines.length > maxFiles) return
        const lastMs = Math.max(0, deadline - Date.now()) + graceMs
        await server.ask((client) => client.set(keyOf(corpus), lines.join('\n'), 'PX', lastMs))
      } catch {
        // the study itself reports a lost server
      }
    },
  }
}

/**
 * Returns how many files differ between `ownLines` and the files of a study, with at most five names, such as
 * `2 files differ: a.md, b.md`. Resolves to undefined if all files are equal, and while the server has no
 * list of the study.
 */
export async function compareFiles(
  server: RedisServer,
  corpus: string,
  ownLines: readonly string[],
): Promise<string | undefined> {
  const stored = await server.ask((client) => client.get(keyOf(corpus)))
  return stored === null ? undefined : describeDifference(ownLines, stored.split('\n'))
}

/** Compares lists whose lines are `SHA-256 PATH`. Returns undefined for equal lists. */
export function describeDifference(
  ownLines: readonly string[],
  otherLines: readonly string[],
): string | undefined {
  const here = new Set(ownLines)
  const there = new Set(otherLines)
  const differing = [
    ...ownLines.filter((line) => !there.has(line)),
    ...otherLines.filter((line) => !here.has(line)),
  ]
  const names = [...new Set(differing.map((line) => line.slice(line.indexOf(' ') + 1)))].sort()
  if (names.length === 0) return undefined
  const more = names.length > maxNamed ? ', …' : ''
  const count = countNoun(names.length, 'file differs', 'files differ')
  return `${count}: ${names.slice(0, maxNamed).join(', ')}${more}`
}

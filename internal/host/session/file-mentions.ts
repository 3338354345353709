// Files and folders that a person may mean with a few letters behind `@`.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import { setImmediate } from 'node:timers/promises'
import { monotonicNow } from '../../base/clock.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { textOfBytes } from '../../search/byte-name.ts'
import { listFiles } from '../../search/file-list.ts'
import { collectBest, createScorer } from '../../search/fuzzy-score.ts'
import { ripgrepPrograms } from '../../search/ripgrep/ripgrep.ts'
import type { MentionChoice, SessionClient } from '../../session/client.ts'

/** A list is asked for again behind a query, or before it where it may no longer be what is there. */
const freshMs = 3_000
const usableMs = 10_000
const listMs = 5_000

/** Names held against a query before the keys have their turn. */
const slice = 4_000

interface NameList {
  choices: Promise<readonly MentionChoice[]>
  /** When it was asked for. */
  at: number
}

/**
 * Best first; sensitive names and what git ignores are left out, hidden ones unless a dot asks for them. One
 * list serves the letters of one name: reading it takes longer than a person takes for a letter.
 */
export function openFileMentions(workspace: string, run: RunCommand): SessionClient['findMentions'] {
  let known: NameList | undefined
  let next: NameList | undefined
  const read = (): NameList => {
    const list = { choices: listChoices(workspace, run), at: monotonicNow() }
    next = list
    list.choices.then(
      () => {
        known = list
        next = undefined
      },
      () => {
        next = undefined
      },
    )
    return list
  }
  const current = (): NameList => {
    const age = known ? monotonicNow() - known.at : Number.POSITIVE_INFINITY
    const newer = age > freshMs ? (next ?? read()) : undefined
    return known && age <= usableMs ? known : (newer ?? read())
  }
  return async (query, limit, signal) => rank(await current().choices, query, limit, signal)
}

async function rank(
  choices: readonly MentionChoice[],
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<MentionChoice[]> {
  const score = query.trim() === '' ? () => 0 : createScorer(query, false)
  const isWanted = /(?:^|[/\s])\./.test(query) ? () => true : (path: string) => !/(?:^|\/)\./.test(path)
  const kept = collectBest<MentionChoice>(limit, ({ path }) => path)
  for (let i = 0; i < choices.length; i++) {
    if (i % slice === slice - 1) {
      await setImmediate()
      signal.throwIfAborted()
    }
    const choice = choices[i] as MentionChoice
    const points = isWanted(choice.path) ? score(choice.path.replace(/\/$/, '')) : undefined
    if (points !== undefined) kept.add(choice, points)
  }
  return kept.ranked().map(({ item }) => item)
}

/** Files as they are listed, and each folder that holds one. */
async function listChoices(workspace: string, run: RunCommand): Promise<MentionChoice[]> {
  const choices: MentionChoice[] = []
  const folders = new Set<string>()
  const dir = realpathSync(workspace)
  const tree = { dir, top: dir, hidden: true, guarded: true }
  const means = { run, signal: new AbortController().signal, timeoutMs: listMs, programs: ripgrepPrograms() }
  await listFiles(tree, means, (names) => {
    for (const name of names) {
      const path = textOfBytes(name)
      choices.push({ path, kind: 'file' })
      for (let at = dirname(path); at !== '.' && !folders.has(at); at = dirname(at)) {
        folders.add(at)
        choices.push({ path: `${at}/`, kind: 'directory' })
      }
    }
  })
  return choices
}

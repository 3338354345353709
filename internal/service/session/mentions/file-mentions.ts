// Search for the files, directories and server resources that the text after `@` in a message can mean.
import { monotonicNow } from '../../../base/time-limit.ts'
import type { RunCommand } from '../../../process/process-command.ts'
import { collectBest, createPreparedScorer } from '../../../search/fuzzy-score.ts'
import type { MentionChoice, SessionClient } from '../../../session/client.ts'
import type { SessionParts } from '../session-parts.ts'
import { createTurns, listChoices, type MentionName } from './name-list.ts'
import { watchResources } from './resource-mentions.ts'

/**
 * Age in milliseconds after which the list of files is read again in the background. If the list is older
 * than `oldMs`, a query waits up to `waitMs` milliseconds for the new list.
 */
const freshMs = 3_000
const oldMs = 10_000
const waitMs = 25

interface NameList {
  choices: readonly MentionName[]
  /** Time at which the read of the names began, in milliseconds of the monotonic clock. */
  at: number
}

/**
 * The last query and its matches. If the next query only adds characters to it, only these
 * matches are searched.
 */
interface QueryMatches {
  list: NameList
  query: string
  matches: readonly MentionName[]
}

/** Opens the matches of a session: files of its workspace and resources of its servers. */
export const openMentions = (
  { context, runtime }: Pick<SessionParts, 'context' | 'runtime'>,
  run: RunCommand,
): SessionClient['findMentions'] => openFileMentions(context.workspace, run, watchResources(runtime))

/**
 * Returns a search with the best matches first. Skips sensitive names and ignored files. Hidden files match
 * only a query with a word or path part that starts with a dot. The first query waits for the list of files,
 * later queries use the stored list. `resources` is called with each query and reads from memory.
 */
export function openFileMentions(
  workspace: string,
  run: RunCommand,
  resources: () => readonly MentionName[] = () => [],
): SessionClient['findMentions'] {
  let nameList: NameList | undefined
  let reading: Promise<NameList> | undefined
  let narrowed: QueryMatches | undefined
  const read = async (): Promise<NameList> => {
    const at = monotonicNow()
    try {
      nameList = { choices: await listChoices(workspace, run), at }
      return nameList
    } finally {
      reading = undefined
    }
  }
  const current = async (): Promise<NameList> => {
    const age = nameList ? monotonicNow() - nameList.at : Number.POSITIVE_INFINITY
    if (nameList && age <= freshMs) return nameList
    reading ??= read()
    if (!nameList) return reading
    reading.catch(() => undefined)
    return age <= oldMs ? nameList : firstOf(reading, nameList)
  }
  return async (query, limit, signal) => {
    // this call starts a refresh of the resources, which runs while the list of files is read
    resources()
    const list = await current()
    const names = listCandidates(list, query, narrowed)
    const { best, matches } = await rankChoices(names, resources(), { query, limit, signal })
    narrowed = { list, query, matches }
    return best
  }
}

/**
 * Returns the names to search. If the query only adds characters to the last one and the list of files is the
 * same, these are the last matches, otherwise all names.
 */
const listCandidates = (
  list: NameList,
  query: string,
  last: QueryMatches | undefined,
): readonly MentionName[] =>
  last?.list === list && query.startsWith(last.query) ? last.matches : list.choices

interface MentionQuery {
  query: string
  limit: number
  signal: AbortSignal
}

/**
 * Returns the best matches of both lists, and all names that a longer query can match. Rejects when
 * the signal aborts.
 */
async function rankChoices(
  names: readonly MentionName[],
  resources: readonly MentionName[],
  { query, limit, signal }: MentionQuery,
): Promise<{ best: MentionChoice[]; matches: readonly MentionName[] }> {
  const isBlank = query.trim() === ''
  const score = isBlank ? () => 0 : createPreparedScorer(query, false)
  const takesHidden = /(?:^|[/\s])\./.test(query)
  const best = collectBest<MentionChoice>(limit, ({ path }) => path)
  const matches: MentionName[] = []
  const turns = createTurns()
  for (let i = 0; i < names.length; i++) {
    if (i % 256 === 255 && turns.isDue()) {
      await turns.give()
      signal.throwIfAborted()
    }
    const name = names[i] as MentionName
    const points = score(name)
    if (points === undefined) continue
    if (!isBlank) matches.push(name)
    if (takesHidden || !name.isHidden) best.add(name.choice, points)
  }
  signal.throwIfAborted()
  for (const resource of resources) {
    const points = score(resource)
    if (points !== undefined) best.add(resource.choice, points)
  }
  return { best: best.ranked().map(({ item }) => item), matches: isBlank ? names : matches }
}

/**
 * Returns the new list if it arrives within `waitMs`. Otherwise, or if the read fails, returns
 * the stored list.
 */
async function firstOf(reading: Promise<NameList>, storedList: NameList): Promise<NameList> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<NameList>((resolve) => {
    timer = setTimeout(resolve, waitMs, storedList)
  })
  try {
    return await Promise.race([reading.catch(() => storedList), late])
  } finally {
    clearTimeout(timer)
  }
}

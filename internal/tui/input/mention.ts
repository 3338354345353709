// The files that a message mentions with `@`: the mention that the user is typing, its completion,
// and all mentions.
import type { MentionChoice } from '../../session/client.ts'
import type { FileMention } from '../../session/commands.ts'

/** The mention that ends at the cursor. `query` is its text without the `@`. */
interface OpenMention {
  /** Index of the character `@` in the text. */
  start: number
  query: string
}

export function findOpenMention(text: string, cursor: number): OpenMention | undefined {
  const match = /(?:^|[\s(])@("(?:[^"\\\n]|\\.?)*|[^\s"@]*)$/.exec(text.slice(0, cursor))
  if (!match) return undefined
  const typed = match[1] ?? ''
  const query = typed.startsWith('"') ? readQuoted(typed.slice(1)) : typed
  return { start: cursor - typed.length - 1, query }
}

/**
 * Matches names that need quotes: characters that end a name without quotes, invisible ones and backslashes,
 * which are written escaped, and a last character that would be read as part of the sentence.
 */
const odd = /[\s"\\@\p{Cc}\p{Cf}]|[.,;:!?)]$/u

/**
 * Returns a name as JSON writes it, but without the quotes. Control characters and invisible ones are escaped
 * too, because an editor shows a name in one line.
 */
const quoteName = (name: string) =>
  JSON.stringify(name)
    .slice(1, -1)
    .replace(/[\p{Cc}\p{Cf}]/gu, (char) => char.replace(/[\s\S]/g, escapeUnit))

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Returns the mention of a file, with quotes if its name needs them. */
export const mentionOf = (path: string): string => (odd.test(path) ? `@"${quoteName(path)}"` : `@${path}`)

function readQuoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    // The text is not valid JSON because it was typed by hand, so a backslash in it is a plain character.
    return text
  }
}

/**
 * Returns the text with the chosen name in place of the open mention, and the new caret. A space follows a
 * file but not a directory, so that the next name can be typed.
 */
export function insertMention(
  text: string,
  cursor: number,
  { path, kind }: MentionChoice,
): { text: string; caret: number } {
  const open = findOpenMention(text, cursor)
  if (!open) return { text, caret: cursor }
  const isFolder = kind === 'directory'
  const name = isFolder && !path.endsWith('/') ? `${path}/` : path
  const isQuoted = kind !== 'resource' && odd.test(name)
  const quoted = isQuoted ? `@"${quoteName(name)}${isFolder ? '' : '"'}` : `@${name}`
  const before = text.slice(0, open.start) + quoted + (isFolder ? '' : ' ')
  return { text: before + text.slice(cursor).replace(isFolder ? /^$/ : /^ /, ''), caret: before.length }
}

/**
 * Returns the files and directories that a message mentions, each once for each range of lines. A mention
 * without quotes, dot and slash counts only if `find` knows a file or directory with exactly that name.
 * Mentions of server resources do not count.
 */
export async function readMentions(text: string, find: FindMentions): Promise<FileMention[]> {
  const mentions = new Map<string, FileMention>()
  for (const [, quoted, range, bare = ''] of text.matchAll(namedFiles)) {
    const named = quoted === undefined ? bare.replace(/[.,;:!?)]+$/, '') : readQuoted(quoted) + (range ?? '')
    const mention = readMention(named)
    if (mention.path === '' || (quoted === undefined && resource.test(named))) continue
    const isSure = quoted !== undefined || /[./]/.test(mention.path)
    const path = isSure ? mention.path : await findExact(mention.path, find)
    if (path !== undefined) mentions.set(JSON.stringify({ ...mention, path }), { ...mention, path })
  }
  return [...mentions.values()]
}

const namedFiles = /(?:^|[\s(])@(?:"((?:[^"\\\n]|\\.)+)"(:\d+(?:-\d+)?)?|([^\s"@]+))/g

/**
 * Matches a mention of the form `server:uri`, which belongs to the servers of the session. The mention of a
 * file with such a name needs quotes.
 */
const resource = /^[\w.-]+:[a-z][a-z0-9+.-]*:/i

/**
 * Returns the path that equals the name; undefined without one, because the word after `@` may also be
 * a user name.
 */
async function findExact(name: string, find: FindMentions): Promise<string | undefined> {
  const choices = await find(name, maxChoices, new AbortController().signal).catch(() => [])
  return choices.find(({ path }) => path === name || path === `${name}/`)?.path
}

/** Parses a mention with an optional range of lines, for example `src/a.ts:10-40`. */
function readMention(text: string): FileMention {
  const lines = /^([\s\S]+?):(\d+)(?:-(\d+))?$/.exec(text)
  if (!lines) return { path: text }
  const [, path = '', first, last] = lines
  const startLine = Math.max(1, Number(first))
  return { path, startLine, endLine: last === undefined ? startLine : Math.max(startLine, Number(last)) }
}

interface MentionSearch {
  /** Starts a search for files and cancels the previous one. */
  query(text: string): void
  stop(): void
}

type FindMentions = (query: string, limit: number, signal: AbortSignal) => Promise<MentionChoice[]>

const maxChoices = 5

/**
 * Opens a search for file names that passes the results of the latest query to `showChoices`. A failed query
 * has no results.
 */
export function openMentionSearch(
  find: FindMentions,
  showChoices: (choices: readonly MentionChoice[]) => void,
): MentionSearch {
  let current = new AbortController()
  return {
    query(text) {
      current.abort()
      const mine = new AbortController()
      current = mine
      const tell = (choices: readonly MentionChoice[]) => {
        if (!mine.signal.aborted) showChoices(choices)
      }
      void find(text, maxChoices, mine.signal).then(tell, () => tell([]))
    },
    stop: () => current.abort(),
  }
}

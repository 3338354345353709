// Files named by `@` in a message: which one is being typed, what is put there, and all that are named.
import type { MentionChoice } from '../../session/client.ts'
import type { FileMention } from '../../session/commands.ts'

/** The name that ends at the cursor, without its `@`. */
interface OpenMention {
  /** Where its `@` stands. */
  start: number
  query: string
}

export function findOpenMention(text: string, cursor: number): OpenMention | undefined {
  const found = /(?:^|[\s(])@("(?:[^"\\\n]|\\.?)*|[^\s"@]*)$/.exec(text.slice(0, cursor))
  if (!found) return undefined
  const typed = found[1] ?? ''
  const query = typed.startsWith('"') ? readQuoted(typed.slice(1)) : typed
  return { start: cursor - typed.length - 1, query }
}

/** What ends a bare name, or would be taken for the sentence around it. */
const odd = /[\s"\\@\p{Cc}\p{Cf}]|[.,;:!?)]$/u

/** As JSON writes it, also what an editor does not hold: a name is one line there. */
const quoteName = (name: string) =>
  JSON.stringify(name)
    .slice(1, -1)
    .replace(/[\p{Cc}\p{Cf}]/gu, (char) => char.replace(/[\s\S]/g, escapeUnit))

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Returns the mention of a file, in quotes where its name needs them. */
export const mentionOf = (path: string): string => (odd.test(path) ? `@"${quoteName(path)}"` : `@${path}`)

function readQuoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    // typed by hand: a backslash is one
    return text
  }
}

/** The text with the choice in the place of what was typed; within a folder the next name is asked for. */
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
 * Files and folders that a message names, each once: what can only be a path, and other words where `find`
 * knows a file or folder of exactly that name.
 */
export async function readMentions(text: string, find: FindMentions): Promise<FileMention[]> {
  const found = new Map<string, FileMention>()
  for (const [, quoted, range, bare = ''] of text.matchAll(namedFiles)) {
    const named = quoted === undefined ? bare.replace(/[.,;:!?)]+$/, '') : readQuoted(quoted) + (range ?? '')
    const mention = readMention(named)
    if (mention.path === '' || (quoted === undefined && resource.test(named))) continue
    const isSure = quoted !== undefined || /[./]/.test(mention.path)
    const path = isSure ? mention.path : await findExact(mention.path, find)
    if (path !== undefined) found.set(JSON.stringify({ ...mention, path }), { ...mention, path })
  }
  return [...found.values()]
}

const namedFiles = /(?:^|[\s(])@(?:"((?:[^"\\\n]|\\.)+)"(:\d+(?:-\d+)?)?|([^\s"@]+))/g

/** `server:uri` is for the servers of the session; a file of such a name stands in quotes. */
const resource = /^[\w.-]+:[a-z][a-z0-9+.-]*:/i

/** Of a word that may be somebody's name as well. */
async function findExact(name: string, find: FindMentions): Promise<string | undefined> {
  const choices = await find(name, maxChoices, new AbortController().signal).catch(() => [])
  return choices.find(({ path }) => path === name || path === `${name}/`)?.path
}

/** `src/a.ts:10-40`. */
function readMention(text: string): FileMention {
  const lines = /^([\s\S]+?):(\d+)(?:-(\d+))?$/.exec(text)
  if (!lines) return { path: text }
  const [, path = '', first, last] = lines
  const startLine = Math.max(1, Number(first))
  return { path, startLine, endLine: last === undefined ? startLine : Math.max(startLine, Number(last)) }
}

interface MentionSearch {
  /** Asks for what fits; what was asked before and has not been told is no longer wanted. */
  query(text: string): void
  stop(): void
}

type FindMentions = (query: string, limit: number, signal: AbortSignal) => Promise<MentionChoice[]>

const maxChoices = 5

/** Tells the choices of the newest query, and none where they cannot be found. */
export function openMentionSearch(
  find: FindMentions,
  found: (choices: readonly MentionChoice[]) => void,
): MentionSearch {
  let current = new AbortController()
  return {
    query(text) {
      current.abort()
      const mine = new AbortController()
      current = mine
      const tell = (choices: readonly MentionChoice[]) => {
        if (!mine.signal.aborted) found(choices)
      }
      void find(text, maxChoices, mine.signal).then(tell, () => tell([]))
    },
    stop: () => current.abort(),
  }
}

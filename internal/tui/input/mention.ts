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
  const found = /(?:^|[\s(])@("[^"\n]*|[^\s"@]*)$/.exec(text.slice(0, cursor))
  if (!found) return undefined
  const typed = found[1] ?? ''
  return { start: cursor - typed.length - 1, query: typed.replace(/^"/, '') }
}

/** The text with the choice in the place of what was typed; within a folder the next name is asked for. */
export function insertMention(
  text: string,
  cursor: number,
  { path, kind }: MentionChoice,
): { text: string; cursor: number } {
  const open = findOpenMention(text, cursor)
  if (!open) return { text, cursor }
  const isFolder = kind === 'directory'
  const name = isFolder && !path.endsWith('/') ? `${path}/` : path
  const isOdd = /[\s"]/.test(name)
  const quoted = isOdd ? `@"${name.replaceAll('"', '')}${isFolder ? '' : '"'}` : `@${name}`
  const before = text.slice(0, open.start) + quoted + (isFolder ? '' : ' ')
  return { text: before + text.slice(cursor).replace(isFolder ? /^$/ : /^ /, ''), cursor: before.length }
}

/** Files that a message names: those that were picked, and what can only be a path. Each once. */
export function readMentions(text: string, picked: ReadonlySet<string> = new Set()): FileMention[] {
  const found = new Map<string, FileMention>()
  for (const [, quoted, bare = ''] of text.matchAll(/(?:^|[\s(])@(?:"([^"\n]+)"|([^\s"@]+))/g)) {
    const mention = readMention(quoted ?? bare.replace(/[.,;:!?)]+$/, ''))
    const isFile = quoted !== undefined || picked.has(mention.path) || /[./]/.test(mention.path)
    if (isFile && mention.path !== '') found.set(JSON.stringify(mention), mention)
  }
  return [...found.values()]
}

/** `src/a.ts:10-40`. */
function readMention(text: string): FileMention {
  const lines = /^(.+?):(\d+)(?:-(\d+))?$/.exec(text)
  if (!lines) return { path: text }
  const [, path = '', first, last] = lines
  const startLine = Number(first)
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

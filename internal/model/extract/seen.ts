// What the tool results of a conversation have shown so far.
import type { Evidence, ModelMessage } from '../model.ts'
import { textOf } from '../tokens.ts'
import type { Passage } from './claims.ts'
import { isJson } from './input.ts'
import type { Hit } from './rank.ts'
import { held } from './terms.ts'

export interface Seen {
  /** Names of the tools that were called, whatever came of it. */
  called: ReadonlySet<string>
  /** Number of files the listing knows of. */
  files: number
  hits: Hit[]
  passages: (Passage & { evidence?: readonly Evidence[] })[]
}

type Result = ModelMessage & { role: 'tool' }

/** Reads the messages from index `from` on. Failed results count as called and show nothing. */
export function look(messages: readonly ModelMessage[], from: number, terms: readonly string[]): Seen {
  const called = new Set<string>()
  const patterns = new Map<string, string>()
  const seen: Seen = { called, files: 0, hits: [], passages: [] }
  const known = new Set<string>()
  for (const message of messages.slice(from)) {
    if (message.role === 'assistant') {
      for (const call of message.calls ?? []) {
        called.add(call.name)
        if (isJson(call.args) && typeof call.args.pattern === 'string')
          patterns.set(call.id, call.args.pattern)
      }
    }
    if (message.role !== 'tool' || message.failed) continue
    if (message.name === 'glob') seen.files = Math.max(seen.files, filesOf(message))
    if (message.name === 'read') seen.passages.push(...passagesOf(message))
    if (message.name !== 'grep' && message.name !== 'finder') continue
    const pattern = message.name === 'grep' ? patterns.get(message.callId) : undefined
    for (const line of linesOf(message.data)) {
      // the text of a long line may be cut before the match
      const found = new Set(held(line.text, terms))
      if (pattern !== undefined && terms.includes(pattern)) found.add(pattern)
      for (const term of found) {
        const key = `${line.path}\n${line.line}\n${term}`
        if (!known.has(key)) seen.hits.push({ path: line.path, line: line.line, term })
        known.add(key)
      }
    }
  }
  return seen
}

function filesOf(message: Result): number {
  const { data } = message
  if (!isJson(data)) return 0
  if (typeof data.total === 'number') return data.total
  return Array.isArray(data.matches) ? data.matches.length : 0
}

interface Line {
  path: string
  line: number
  text: string
}

/** The matching lines of a search: `files[].matches[]` of grep, `matches[]` with paths of finder. */
function linesOf(data: unknown): Line[] {
  if (!isJson(data)) return []
  const files = Array.isArray(data.files) ? data.files.filter(isJson) : []
  const nested = files.flatMap((file) =>
    (Array.isArray(file.matches) ? file.matches : []).flatMap((match: unknown) => lineOf(match, file.path)),
  )
  const flat = Array.isArray(data.matches)
    ? data.matches.flatMap((match: unknown) => lineOf(match, undefined))
    : []
  return [...nested, ...flat]
}

function lineOf(match: unknown, outer: unknown): Line[] {
  if (!isJson(match)) return []
  const path = typeof match.path === 'string' ? match.path : outer
  if (typeof path !== 'string' || typeof match.line !== 'number') return []
  return [{ path, line: match.line, text: typeof match.text === 'string' ? match.text : '' }]
}

/** Numbered lines as `read` prints them: number, tab, text. */
function passagesOf(message: Result): Seen['passages'] {
  const path = isJson(message.data) && typeof message.data.path === 'string' ? message.data.path : undefined
  if (path === undefined) return []
  const evidence = message.evidence === undefined ? {} : { evidence: message.evidence }
  const out: Seen['passages'] = []
  let open: { path: string; line: number; lines: string[] } | undefined
  for (const text of textOf(message.content).split('\n')) {
    const match = /^\s*(\d+)\t(.*)$/.exec(text)
    if (!match) continue
    const line = Number(match[1])
    if (open && line === open.line + open.lines.length) {
      open.lines.push(match[2] as string)
    } else {
      open = { path, line, lines: [match[2] as string] }
      out.push({ ...open, ...evidence, lines: open.lines })
    }
  }
  return out
}

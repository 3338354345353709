// Tool calls as lines of text, for models without native calls, read from a response while it arrives.

import { isObject } from '../../base/untrusted-json.ts'
import type { MalformedArgs } from '../model.ts'
import { readJson } from '../tool-calls.ts'

export type TextItem =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'call'; name: string; args: Readonly<Record<string, unknown>> }
  /** A line that looks like a call but is invalid. `name` is a guess, only for messages. */
  | { kind: 'broken'; name: string; malformed: MalformedArgs }

interface TextReader {
  /**
   * Reads the next piece of the response. Text that can become neither a call nor a tag of reasoning is
   * returned at once.
   */
  push(piece: string): TextItem[]
  /**
   * Reads the rest of the response. `cut`: the response was truncated, so its last line may be incomplete.
   */
  close(cut: boolean): TextItem[]
}

/**
 * Where the reader is in the Markdown of the response: in a code fence, a block quote or reasoning,
 * by CommonMark's rules.
 */
interface MarkdownPlace {
  fence: string | undefined
  /** True if the paragraph above is a block quote that this line would continue. */
  quoted: boolean
  thinking: boolean
  /** True until the first line that is not blank has arrived. */
  fresh: boolean
}

const opening = 'TOOL:'

export function textReader(): TextReader {
  const place: MarkdownPlace = { fence: undefined, quoted: false, thinking: false, fresh: true }
  let rest = ''
  /**
   * Pieces of the incomplete line, joined only when they are read, because a long call comes in many pieces.
   */
  let pieces: string[] = []
  let shownChars = 0
  const finish = (line: string, end: string): TextItem[] => {
    const items = readLine(line, end, place)
    // The beginning of the line may have been returned while the line was incomplete, so only the rest
    // is returned now.
    const first = items[0]
    if (shownChars > 0 && first && (first.kind === 'text' || first.kind === 'reasoning')) {
      items[0] = { ...first, text: first.text.slice(shownChars) }
    }
    shownChars = 0
    return items
  }
  return {
    push(piece) {
      if (isGrowing(rest, place) && !piece.includes('\n')) {
        pieces.push(piece)
        return []
      }
      const items: TextItem[] = []
      const lines = (rest + pieces.join('') + piece).split('\n')
      pieces = []
      rest = lines.pop() as string
      for (const line of lines) items.push(...finish(line, '\n'))
      if (rest.length > shownChars && !mayMatter(rest, place)) {
        items.push({ kind: place.thinking ? 'reasoning' : 'text', text: rest.slice(shownChars) })
        shownChars = rest.length
      }
      return mergeItems(items)
    },
    close(isCut) {
      const line = rest + pieces.join('')
      const items = line === '' ? [] : finish(line, '')
      pieces = []
      rest = ''
      const last = items.at(-1)
      if (isCut && last?.kind === 'broken') {
        const { raw } = last.malformed
        const error = 'the reply was cut off (output limit or filter) in the middle of this call'
        items[items.length - 1] = { ...last, malformed: { raw, error, position: raw.length } }
      }
      return mergeItems(items)
    },
  }
}

/**
 * Returns true if the incomplete line is reasoning or may still become a call or a tag for reasoning, so that
 * it must not be shown yet.
 */
function mayMatter(line: string, place: MarkdownPlace): boolean {
  if (place.thinking) return true
  const start = line.replace(/^ {0,3}/, '')
  if (place.fresh && '<think>'.startsWith(start.slice(0, 7))) return true
  return place.fence === undefined && (opening.startsWith(start) || start.startsWith(opening))
}

/**
 * Returns true if the line has to be complete before it can be read, because it is reasoning or the start
 * of a call.
 */
function isGrowing(line: string, place: MarkdownPlace): boolean {
  return place.thinking ? line !== '' : place.fence === undefined && /^ {0,3}TOOL:/.test(line)
}

function readLine(line: string, end: string, place: MarkdownPlace): TextItem[] {
  const bare = line.endsWith('\r') ? line.slice(0, -1) : line
  if (place.thinking) return readThought(line, end, place)
  if (place.fresh && /^\s*<think>/.test(bare)) {
    place.thinking = true
    return readThought(line.replace(/^\s*<think>/, ''), end, place)
  }
  if (bare.trim() !== '') place.fresh = false
  if (!isCall(bare, place)) return [{ kind: 'text', text: line + end }]
  const raw = bare.slice(bare.indexOf(opening) + opening.length).trim()
  if (!place.quoted) return [readCall(raw)]
  const error = 'this call continues the quote above it; put an empty line between them'
  return [{ kind: 'broken', name: nameIn(raw), malformed: { raw, error, position: 0 } }]
}

function readThought(line: string, end: string, place: MarkdownPlace): TextItem[] {
  const close = line.indexOf('</think>')
  if (close < 0) return [{ kind: 'reasoning', text: line + end }]
  place.thinking = false
  place.fresh = false
  const after = line.slice(close + '</think>'.length)
  const reasoning: TextItem[] = close > 0 ? [{ kind: 'reasoning', text: line.slice(0, close) }] : []
  return after === '' ? reasoning : [...reasoning, ...readLine(after, end, place)]
}

/** Updates `place` for the line, and returns true if the line is meant as a call. */
function isCall(line: string, place: MarkdownPlace): boolean {
  if (place.fence !== undefined) {
    const close = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
    if (close?.startsWith(place.fence)) place.fence = undefined
    return false
  }
  const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]
  if (fence) {
    place.fence = fence
    place.quoted = false
    return false
  }
  if (/^ {0,3}>/.test(line)) {
    // An empty line in a block quote ends its paragraph, so the next line without `>` does not
    // continue the quote.
    place.quoted = !/^ {0,3}(> ?)+\s*$/.test(line)
    return false
  }
  if (line.trim() === '') {
    place.quoted = false
    return false
  }
  return new RegExp(`^ {0,3}${opening}`).test(line)
}

function readCall(raw: string): TextItem {
  const broken = (malformed: MalformedArgs): TextItem => ({ kind: 'broken', name: nameIn(raw), malformed })
  const json = readJson(raw)
  if (!json.ok) return broken(json.malformed)
  const wrong = (error: string) => broken({ raw, error, position: 0 })
  const { value } = json
  if (!isObject(value)) return wrong('expected one JSON object with the keys name and args')
  const extra = Object.keys(value).find((key) => key !== 'name' && key !== 'args')
  if (extra !== undefined) return wrong(`unexpected key ${JSON.stringify(extra)}; a call has name and args`)
  const { name, args = {} } = value
  // a call without a name is a call of an unknown tool, not an unreadable one
  if (name !== undefined && typeof name !== 'string') return wrong('name must be the name of a tool')
  if (!isObject(args)) return wrong('args must be an object')
  return { kind: 'call', name: name ?? '', args }
}

function nameIn(raw: string): string {
  return /"name"\s*:\s*"([A-Za-z0-9_.-]+)"/.exec(raw)?.[1] ?? ''
}

/**
 * Joins adjacent items of text and adjacent items of reasoning, and drops empty ones, so that a piece of the
 * response causes few events.
 */
function mergeItems(items: TextItem[]): TextItem[] {
  const out: TextItem[] = []
  for (const item of items) {
    const last = out.at(-1)
    if ((item.kind === 'text' || item.kind === 'reasoning') && item.text === '') continue
    if (last && (item.kind === 'text' || item.kind === 'reasoning') && last.kind === item.kind) {
      out[out.length - 1] = { kind: item.kind, text: last.text + item.text }
    } else {
      out.push(item)
    }
  }
  return out
}

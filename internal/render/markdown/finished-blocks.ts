// Which blocks of a Markdown text that still grows are finished: nothing that follows can change them.
import type { Token, Tokens } from 'marked'
import { sanitizeText } from '../text/terminal-filter.ts'
import { readBlocks } from './read-blocks.ts'

/**
 * A text in two parts. `fence` is the first line of the code block in which `open` begins, else empty: each
 * part is drawn behind the fence that it begins in.
 */
interface FinishedSplit {
  done: string
  open: string
  fence: string
  /** The blocks of `done`, read with all that is known of the text, such as links that are defined below. */
  blocks: readonly Token[]
}

/**
 * Parts a text whose end may still come: whole blocks, and the finished lines of a fenced block that goes on,
 * are done. What comes next follows `open`. Full lines are filtered here; half an escape sequence waits for
 * the rest of its line.
 */
export function splitFinished(text: string, fence = ''): FinishedSplit {
  // only a line end finishes anything, and half a line may be read as something else
  const cut = text.lastIndexOf('\n') + 1
  if (cut === 0) return { done: '', open: text, fence, blocks: [] }
  const lines = sanitizeText(text.slice(0, cut), { keepLines: true })
  const tokens = readBlocks(fence + lines)
  const { last, ended } = countFinished(tokens)
  const code = ended > last ? undefined : openCode(tokens[last])
  if (code) {
    const blocks = [...tokens.slice(0, last), { ...tokens[last], text: code.text } as Token]
    return { done: lines, open: text.slice(cut), fence: code.fence, blocks }
  }
  const size = rawOf(tokens.slice(0, Math.max(0, ended))).length - fence.length
  if (size <= 0) return { done: '', open: lines + text.slice(cut), fence, blocks: [] }
  const blocks = tokens.slice(0, ended)
  return { done: lines.slice(0, size), open: lines.slice(size) + text.slice(cut), fence: '', blocks }
}

/**
 * The items of a list that a text begins with, but for the last, which may go on; undefined where none are.
 * `number`: of the first, where the text does not say it.
 */
export function splitItems(text: string, number?: number): { done: string; next: ListPlace } | undefined {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1)
  if (!/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(lines)) return undefined
  const [list] = readBlocks(lines)
  if (list?.type !== 'list' || list.items.length < 2) return undefined
  const items = (list as Tokens.List).items.slice(0, -1)
  const done = rawOf(items)
  if (!lines.startsWith(done)) return undefined
  const isApart = /\n[ \t]*\n$/.test(done)
  return {
    done,
    next: { isApart, number: list.ordered ? (number ?? Number(list.start)) + items.length : undefined },
  }
}

/** Where a list goes on: its next number, and whether an empty line stands above. */
export interface ListPlace {
  number?: number
  isApart: boolean
}

/** The last block that is not blank, and how many from the start are finished. */
function countFinished(tokens: readonly Token[]): { last: number; ended: number } {
  const last = tokens.findLastIndex((token) => token.type !== 'space')
  return { last, ended: isEnded(tokens.slice(Math.max(0, last))) ? last + 1 : last }
}

const rawOf = (tokens: readonly Token[]) => tokens.map((token) => token.raw).join('')

/** Whether nothing that follows can go on with the first block of these, after which only blanks stand. */
function isEnded([block, ...blanks]: readonly Token[]): boolean {
  switch (block?.type) {
    case 'hr':
      return true
    case 'heading':
      return block.raw.trimStart().startsWith('#')
    case 'paragraph':
    case 'table':
      return /\n[ \t]*\n\s*$/.test(rawOf([block, ...blanks]))
    case 'code':
      return readFence(block)?.isClosed ?? false
    default:
      return false
  }
}

/**
 * The first line and the finished lines of a fenced block that has not ended; undefined where there are none.
 */
function openCode(token: Token | undefined): { fence: string; text: string } | undefined {
  const read = token && readFence(token)
  if (!read || read.isClosed || !read.body.endsWith('\n')) return undefined
  return { fence: read.fence, text: read.body.slice(0, -1) }
}

/** The first line of a fenced block, what follows it, and whether that holds the closing fence. */
function readFence(token: Token): { fence: string; body: string; isClosed: boolean } | undefined {
  const fence = token.type === 'code' ? /^ {0,3}(`{3,}|~{3,})[^\n]*\n/.exec(token.raw) : undefined
  if (!fence) return undefined
  const body = token.raw.slice(fence[0].length)
  const isClosed = new RegExp(`(?:^|\\n) {0,3}${fence[1]}[\`~]*[ \\t]*\\n?$`).test(body)
  return { fence: fence[0], body, isClosed }
}

// Detection of finished blocks in a growing Markdown text. Text that follows later can no longer
// change these blocks.
import type { Token, Tokens } from 'marked'
import { sanitizeText } from '../text/terminal-filter.ts'
import { readBlocks } from './read-blocks.ts'

/**
 * A text in two parts: finished blocks (`done`), and an open rest. If `open` begins inside a code
 * block, `fence` is the first line of that block, else empty. The caller has to write `fence` before
 * `open` to render `open`.
 */
interface FinishedSplit {
  done: string
  open: string
  fence: string
  /**
   * Blocks of `done`. They were parsed together with the whole text, so that links whose targets are defined
   * further below are known.
   */
  blocks: readonly Token[]
}

/**
 * Splits a growing text. Whole blocks are done, and so are the complete lines of an unfinished code block.
 * The caller appends later text to `open`, and passes the `fence` of the last split. Control characters are
 * removed from complete lines only, because an escape sequence may still be incomplete in the last line.
 */
export function splitFinished(text: string, fence = ''): FinishedSplit {
  // Only a line end can finish a block, because the rest of an incomplete line may change its meaning.
  const lineEnd = text.lastIndexOf('\n') + 1
  if (lineEnd === 0) return { done: '', open: text, fence, blocks: [] }
  const lines = sanitizeText(text.slice(0, lineEnd), { keepLines: true })
  const tokens = readBlocks(fence + lines)
  const { last, ended: finishedCount } = countFinished(tokens)
  const code = finishedCount > last ? undefined : openCode(tokens[last])
  if (code) {
    const blocks = [...tokens.slice(0, last), { ...tokens[last], text: code.text } as Token]
    return { done: lines, open: text.slice(lineEnd), fence: code.fence, blocks }
  }
  const size = rawOf(tokens.slice(0, Math.max(0, finishedCount))).length - fence.length
  if (size <= 0) return { done: '', open: lines + text.slice(lineEnd), fence, blocks: [] }
  const blocks = tokens.slice(0, finishedCount)
  return { done: lines.slice(0, size), open: lines.slice(size) + text.slice(lineEnd), fence: '', blocks }
}

/**
 * Splits off the items of a list at the beginning of the text, except the last one, which may continue.
 * Returns undefined for any other text and for fewer than two items. `number` continues the numbers of a list
 * whose first part was split off before.
 */
export function splitItems(text: string, number?: number): OpenSplit | undefined {
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

/** The finished text at the start of an open block, and where the block continues. */
export interface OpenSplit {
  done: string
  next: ListPlace
}

/**
 * The state in which the rest of a split list or paragraph continues: the next number of a numbered list, and
 * whether an empty line precedes the rest.
 */
export interface ListPlace {
  number?: number
  isApart: boolean
}

/**
 * Returns the index of the last block that is not blank, and the number of finished blocks from the start.
 * Both are -1 if all blocks are blank.
 */
function countFinished(tokens: readonly Token[]): { last: number; ended: number } {
  const last = tokens.findLastIndex((token) => token.type !== 'space')
  return { last, ended: isEnded(tokens.slice(Math.max(0, last))) ? last + 1 : last }
}

const rawOf = (tokens: readonly Token[]) => tokens.map((token) => token.raw).join('')

/**
 * Returns true if later text certainly cannot continue the first block. Only blank blocks may follow it.
 * Lists, quotes, HTML and indented code always give false.
 */
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
 * Returns the first line and the complete lines of an unfinished fenced block; undefined for any other block,
 * and unless the text ends with a complete line below the first one.
 */
function openCode(token: Token | undefined): { fence: string; text: string } | undefined {
  const read = token && readFence(token)
  if (!read || read.isClosed || !read.body.endsWith('\n')) return undefined
  return { fence: read.fence, text: read.body.slice(0, -1) }
}

/**
 * Returns the first line of a fenced block, the text after it, and whether that text contains the closing
 * fence. Returns undefined for any other block.
 */
function readFence(token: Token): { fence: string; body: string; isClosed: boolean } | undefined {
  const fence = token.type === 'code' ? /^ {0,3}(`{3,}|~{3,})[^\n]*\n/.exec(token.raw) : undefined
  if (!fence) return undefined
  const body = token.raw.slice(fence[0].length)
  const isClosed = new RegExp(`(?:^|\\n) {0,3}${fence[1]}[\`~]*[ \\t]*\\n?$`).test(body)
  return { fence: fence[0], body, isClosed }
}

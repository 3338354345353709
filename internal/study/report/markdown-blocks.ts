// Parser of the few kinds of Markdown blocks that sections of a report use. Everything else is plain text.
import { languageOfFence } from '../../base/code/code-language.ts'
import { type InlineMarkup, joinParagraph, splitParagraph } from '../../render/markdown/inline.ts'

export type MarkdownBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | QuotePiece
  | CodePiece
  | { kind: 'text'; text: string }

export interface CodePiece {
  kind: 'code'
  text: string
  /** Name of the code's language; undefined if it is unknown. */
  language?: string
}

/** A quote. Each line of its text is a paragraph, a list item or a row. */
export interface QuotePiece {
  kind: 'quote'
  text: string
  /** Markup in which the source is written. Default: Markdown. */
  markup?: InlineMarkup
  /** The most relevant words, which are shown in bold. */
  keys?: string[]
}

const fence = /^\s*(`{3,}|~{3,})/
const item = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/

/**
 * Returns blocks in which lines that belong together are joined. A list item continues over the following
 * lines up to an empty line.
 */
export function parseMarkdownBlocks(markdown: string): MarkdownBlock[] {
  const out: MarkdownBlock[] = []
  let code: { close: string; language: string | undefined; lines: string[] } | undefined
  /** The previous line, unless an empty line or code follows it. */
  let before: string | undefined
  for (const line of markdown.split('\n')) {
    const mark = fence.exec(line)?.[1]
    if (code) {
      if (mark?.startsWith(code.close) === true) {
        out.push(codePiece(code.lines, code.language))
        code = undefined
      } else code.lines.push(line)
      continue
    }
    if (mark !== undefined) {
      const language = languageOfFence(line.trim().replace(/^[`~]+/, ''))
      code = { close: mark, language, lines: [] }
    }
    if (mark !== undefined || line.trim() === '') {
      before = undefined
      continue
    }
    addLine(out, line, before)
    before = line
  }
  if (code) out.push(codePiece(code.lines, code.language))
  return out
}

function codePiece(lines: readonly string[], language: string | undefined): CodePiece {
  const text = lines.join('\n')
  return language === undefined ? { kind: 'code', text } : { kind: 'code', text, language }
}

/** Adds a line. `before` is the previous line if no empty line separates it from this one. */
function addLine(out: MarkdownBlock[], line: string, before: string | undefined): void {
  const last = out.at(-1)
  const isOpen = before !== undefined
  const listed = item.exec(line)
  const heading = /^\s{0,3}#{1,6}\s+(.*)$/.exec(line)
  const quoted = /^\s*>\s?(.*)$/.exec(line)
  if (heading) out.push({ kind: 'heading', text: heading[1] as string })
  else if (listed) {
    const ordered = listed[1] !== undefined
    const text = (listed[2] as string).trimEnd()
    if (last?.kind === 'list' && last.ordered === ordered) last.items.push(text)
    else out.push({ kind: 'list', ordered, items: [text] })
  } else if (quoted) {
    const text = (quoted[1] as string).trimEnd()
    if (isOpen && last?.kind === 'quote')
      last.text = splitParagraph(continueText(last.text, before, text)).join('\n')
    else out.push({ kind: 'quote', text })
  } else if (isOpen && last?.kind === 'text') last.text = continueText(last.text, before, line)
  else if (isOpen && last?.kind === 'list')
    last.items.push(continueText(last.items.pop() ?? '', before, line))
  else out.push({ kind: 'text', text: line.trim() })
}

/** Returns the text with a further line. `before` is its last line as written, with spaces at its end. */
function continueText(text: string, before: string, line: string): string {
  const spaces = /\s*$/.exec(before)?.[0] ?? ''
  return joinParagraph([text + spaces, line])
}

// Reader of Jupyter notebooks: each cell with its text or code, then the plain text of its output.
import { type JSONPath, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import { createBlockList } from './block-list.ts'
import type { DocumentContent } from './document-text.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

interface NotebookCell {
  kind: string
  source: string
  outputs: string
}

/**
 * Number of characters of a cell's outputs after which its further outputs are skipped. A single output is
 * cut to it.
 */
const maxOutputChars = 20_000

export async function readNotebookDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const cells = cellsOf(bytes.toString('utf8').replace(/^\ufeff/, ''), budget)
  const list = createBlockList(budget)
  return collectBlocks(list, async () => {
    let title: string | undefined
    for (const [i, cell] of cells) {
      const place = () => `cell ${i + 1}`
      if (cell.kind === 'markdown' || cell.kind === 'heading') {
        for (const { text, level } of markdownParts(cell.source)) {
          list.add(text, place, level)
          if (level === 1) title ??= text
        }
      } else list.add(cell.source, place)
      list.add(cell.outputs, place)
    }
    return title === undefined ? {} : { title }
  })
}

/**
 * Returns the cells with their indexes, in order. The text is read as a stream of values, so images within
 * the file are skipped without a copy. Throws UnreadableDocument for broken JSON, and for a file that has no
 * list of cells.
 */
function cellsOf(text: string, budget: ReadingBudget): [number, NotebookCell][] {
  const cells = new Map<number, NotebookCell>()
  let wrong: string | undefined
  let count = 0
  visit(text, {
    onLiteralValue(value, _offset, _length, line, _column, path) {
      if (++count % 1_000 === 0) budget.check()
      if (typeof value === 'string') takeValue(cells, path(), value)
      void line
    },
    onError(code: ParseErrorCode, _offset, _length, line) {
      wrong ??= `${printParseErrorCode(code)} in line ${line + 1}`
      throw new UnreadableDocument(`it is not a notebook, or a broken one: ${wrong}`)
    },
  })
  if (cells.size === 0 && !/"(?:cells|worksheets)"\s*:/.test(text.slice(0, 1_000_000)))
    throw new UnreadableDocument('it is not a notebook: it has no cells')
  return [...cells].sort(([a], [b]) => a - b)
}

/** Stores a value by its path in format 4 or, below `worksheets`, in earlier formats. */
function takeValue(cells: Map<number, NotebookCell>, full: JSONPath, value: string): void {
  const path = full[0] === 'worksheets' ? full.slice(2) : full
  const [list, index, key] = path
  if (list !== 'cells' || typeof index !== 'number') return
  const cell = cells.get(index) ?? { kind: '', source: '', outputs: '' }
  cells.set(index, cell)
  if (key === 'cell_type') cell.kind = value
  else if (key === 'source' || key === 'input') cell.source += value
  else if (key === 'outputs' && isPlainOutput(path.slice(4)) && cell.outputs.length < maxOutputChars)
    cell.outputs += value.slice(0, maxOutputChars) + (value.endsWith('\n') ? '' : '\n')
}

/**
 * Returns whether a path within an output leads to printed text, a plain result, or the name or message
 * of an error.
 */
function isPlainOutput([key, inner]: JSONPath): boolean {
  return key === 'text' || key === 'ename' || key === 'evalue' || (key === 'data' && inner === 'text/plain')
}

/**
 * Splits Markdown into headings and the text between them. A line in a fenced code block is not a heading.
 */
function markdownParts(source: string): { text: string; level?: number }[] {
  const parts: { text: string; level?: number }[] = [{ text: '' }]
  let fenced = false
  for (const line of source.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    const heading = fenced ? null : /^(#{1,6})\s+(.*?)[\s#]*$/.exec(line)
    if (heading) parts.push({ text: heading[2] ?? '', level: heading[1]?.length ?? 1 }, { text: '' })
    else (parts.at(-1) as { text: string }).text += `${line}\n`
  }
  return parts
}

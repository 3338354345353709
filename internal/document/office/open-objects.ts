// Objects within an OpenDocument file: formulas as one line, charts and sheets as lines of text.
import type { BlockList } from '../block-list.ts'
import type { GapList } from '../gap-list.ts'
import { type MarkupHandler, parseMarkup } from '../markup-events.ts'
import { MathMarks } from '../math-marks.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { localName } from './office-parts.ts'
import { OpenChart } from './open-chart.ts'
import { OpenHandler } from './open-document-handler.ts'
import type { OpenObject } from './open-object.ts'

/**
 * Returns the formulas, charts and spreadsheets that are embedded in a file, by the name of their directory,
 * such as `Object 1`. Objects of other kinds have no entry.
 */
export async function readOpenObjects(
  zip: ZipArchive,
  gaps: GapList,
  budget: ReadingBudget,
): Promise<Map<string, OpenObject>> {
  const objects = new Map<string, OpenObject>()
  for (const part of zip.names()) {
    const name = /^(.+)\/content\.xml$/.exec(part)?.[1]
    const stream = name === undefined ? undefined : await zip.stream(part)
    if (name === undefined || !stream) continue
    const reader = new ObjectReader(gaps, budget)
    await parseMarkup(stream, 'xml', reader, budget)
    const object = reader.finish()
    if (object) objects.set(name, object)
  }
  return objects
}

/** Reader of one object. The root element, or the element in the body, determines the kind of the object. */
class ObjectReader implements MarkupHandler {
  #reader: (MarkupHandler & { finish(): OpenObject }) | undefined
  readonly #gaps: GapList
  readonly #budget: ReadingBudget

  constructor(gaps: GapList, budget: ReadingBudget) {
    this.#gaps = gaps
    this.#budget = budget
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (localName(name) === 'math') this.#reader ??= new FormulaReader(this.#budget)
    else if (name === 'office:chart') this.#reader ??= new OpenChart(this.#budget)
    else if (name === 'office:spreadsheet') this.#reader ??= sheetReader(this.#gaps, this.#budget)
    this.#reader?.open(name, attributes)
  }

  text(text: string): void {
    this.#reader?.text(text)
  }

  close(name: string): void {
    this.#reader?.close(name)
  }

  finish(): OpenObject | undefined {
    return this.#reader?.finish()
  }
}

class FormulaReader implements MarkupHandler {
  #text = ''
  #skipped = 0
  readonly #marks = new MathMarks()
  readonly #grow: ReadingBudget['grow']

  constructor({ grow }: ReadingBudget) {
    this.#grow = grow
  }

  open(raw: string): void {
    const name = localName(raw)
    if (this.#skipped > 0 || name.startsWith('annotation')) this.#skipped++
    else this.#text = this.#grow(this.#text, this.#marks.open(name))
  }

  text(text: string): void {
    if (this.#skipped === 0) this.#text = this.#grow(this.#text, text.trim())
  }

  close(): void {
    if (this.#skipped > 0) this.#skipped--
    else this.#text += this.#marks.close()
  }

  finish(): OpenObject {
    return { kind: 'formula', lines: [this.#text] }
  }
}

function sheetReader(gaps: GapList, budget: ReadingBudget): MarkupHandler & { finish(): OpenObject } {
  const lines: string[] = []
  const handler = new OpenHandler({ kind: 'ods', list: lineList(lines, budget), gaps })
  return Object.assign(handler, { finish: (): OpenObject => ({ kind: 'sheet', lines }) })
}

/** Returns a list of blocks that stores only their trimmed texts, in `lines`. */
export const lineList = (lines: string[], { grow }: ReadingBudget): BlockList => ({
  blocks: [],
  grow,
  add: (text) => void lines.push(text.trim()),
})

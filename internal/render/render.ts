// The renderer: a spec goes in, lines for a terminal and everything wrong with the spec come out.
import { collect, type Issue } from './issue.ts'
import { formatCount } from './number.ts'
import { mostLines } from './part.ts'
import { type Look, makePen } from './pen.ts'
import { layRoot, type Stage, speak } from './tree.ts'
import { type Node, validate } from './validate.ts'

export interface Options extends Look {
  /** Linear text without borders and columns, for screen readers and logs. */
  plain: boolean
}

export interface Rendered {
  ok: boolean
  /** None when there is an error; otherwise no line is wider than `width`. */
  lines: string[]
  errors: Issue[]
  warnings: Issue[]
}

/**
 * Draws a spec. Pure: the same arguments give the same bytes, the spec is not changed, nothing is read besides.
 * The only control characters of the lines are the colours that `color` allows. Never throws for a value that JSON
 * can hold.
 */
export function render(spec: unknown, options: Options): Rendered {
  const stage: Stage = { pen: makePen(options), errors: collect(), warnings: collect() }
  const root = validate(spec, stage.errors, stage.warnings)
  const lines = root ? draw(root, stage, options.plain) : []
  const ok = stage.errors.count() === 0
  return { ok, lines: ok ? lines : [], errors: stage.errors.list(), warnings: stage.warnings.list() }
}

function draw(root: Node, stage: Stage, plain: boolean): string[] {
  if (root.type === 'Box' && root.props.display === 'none') return []
  return plain ? drawPlain(root, stage) : drawRich(root, stage)
}

function drawRich(root: Node, stage: Stage): string[] {
  const laid = layRoot(root, stage)
  const shown = limit(laid.height, root, stage)
  const rows = laid.place(laid.height)
  const lines: string[] = []
  for (let y = 0; y < shown; y++) lines.push(rows(y).text.trimEnd())
  return withRest(lines, laid.height, stage)
}

function drawPlain(root: Node, stage: Stage): string[] {
  const { pen } = stage
  const lines = speak(root, stage).flatMap((line) => pen.wrap(line, pen.look.width))
  const shown = limit(lines.length, root, stage)
  const trimmed = lines.slice(0, shown).map((line) => line.trimEnd())
  return withRest(trimmed, lines.length, stage)
}

/** How many of so many lines are drawn. */
function limit(height: number, root: Node, { pen, warnings }: Stage): number {
  if (pen.look.all || height <= mostLines) return height
  const message = `${height - mostLines + 1} of ${height} lines are not shown`
  warnings.add('truncated_rows', '', message, root.id)
  return mostLines - 1
}

function withRest(lines: string[], height: number, { pen }: Stage): string[] {
  const rest = height - lines.length
  if (rest > 0) lines.push(pen.clip(`${pen.glyphs.ellipsis} ${formatCount(rest)} more lines`, pen.look.width))
  return lines
}

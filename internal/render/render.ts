// The renderer: converts a spec to lines for a terminal, and reports up to 100 errors and 100 warnings
// about the spec.

import { countNoun, groupDigits } from '../base/text/count-noun.ts'
import { maxComponentLines } from './component/component.ts'
import { layRoot, type RenderStage, renderPlainText } from './layout/layout-tree.ts'
import { makePen, type RenderLook } from './pen.ts'
import { collectIssues, type SpecIssue } from './spec/issues.ts'
import { type SpecNode, validateSpec } from './spec/validation.ts'

export interface RenderOptions extends RenderLook {
  /** True for linear text without borders and columns, as for screen readers and logs. */
  plain: boolean
}

export interface RenderResult {
  ok: boolean
  /** Lines of at most `width` cells. Empty after an error. */
  lines: string[]
  errors: SpecIssue[]
  warnings: SpecIssue[]
}

/**
 * Renders a spec. Equal arguments give equal bytes, and nothing else is read or changed. The only control
 * characters of the lines are the color codes that `color` allows. Never throws for a JSON value.
 */
export function render(spec: unknown, options: RenderOptions): RenderResult {
  const stage: RenderStage = { pen: makePen(options), errors: collectIssues(), warnings: collectIssues() }
  const root = validateSpec(spec, stage.errors, stage.warnings)
  const lines = root ? drawRoot(root, stage, options.plain) : []
  const ok = stage.errors.count() === 0
  return { ok, lines: ok ? lines : [], errors: stage.errors.list(), warnings: stage.warnings.list() }
}

function drawRoot(root: SpecNode, stage: RenderStage, plain: boolean): string[] {
  if (root.type === 'Box' && root.props.display === 'none') return []
  return plain ? drawPlain(root, stage) : drawRich(root, stage)
}

function drawRich(root: SpecNode, stage: RenderStage): string[] {
  const laid = layRoot(root, stage)
  const lineCount = limitHeight(laid.height, root, stage)
  const rows = laid.place(laid.height)
  const lines: string[] = []
  for (let y = 0; y < lineCount; y++) lines.push(rows(y).text.trimEnd())
  return withRest(lines, laid.height, stage)
}

function drawPlain(root: SpecNode, stage: RenderStage): string[] {
  const { pen } = stage
  const lines = renderPlainText(root, stage).flatMap((line) => pen.wrap(line, pen.look.width))
  const lineCount = limitHeight(lines.length, root, stage)
  const trimmed = lines.slice(0, lineCount).map((line) => line.trimEnd())
  return withRest(trimmed, lines.length, stage)
}

/** Returns how many of `height` lines are rendered. If lines are hidden, that is reported as a warning. */
function limitHeight(height: number, root: SpecNode, { pen, warnings }: RenderStage): number {
  if (pen.look.all || height <= maxComponentLines) return height
  const hiddenCount = groupDigits(height - maxComponentLines + 1)
  const message = `${hiddenCount} of ${countNoun(height, 'line')} are not shown`
  warnings.add('truncated_rows', '', message, root.id)
  return maxComponentLines - 1
}

function withRest(lines: string[], height: number, { pen }: RenderStage): string[] {
  const rest = height - lines.length
  if (rest > 0) lines.push(pen.clip(`${pen.glyphs.ellipsis} ${countNoun(rest, 'more line')}`, pen.look.width))
  return lines
}

// The lines of tool calls. Each call has one row and its folded result; neighboring reads share one row.
import { countNoun } from '../../base/text/count-noun.ts'
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { CallBlock } from '../../session/view/session-view.ts'
import { subjectOf } from '../../session/view/telling-argument.ts'
import { formatDuration } from '../duration.ts'
import { indentLines, margin, narrowLook, penOfLook } from '../view/look-pen.ts'
import { readFileDiffs } from './file-changes.ts'
import { type DetailRows, drawHead, drawOutcome } from './tool-lines.ts'
import { outcomeOfBlock } from './tool-outcome.ts'

/**
 * Largest numbers of rows that are shown below a call. The output has up to five rows, or 20 if the call
 * failed or the user started it.
 */
const usualRows: DetailRows = { diff: 12, output: 5, spec: 40, todos: 12, numbered: true }
const maxFailedOutput = 20
const allRows: DetailRows = { diff: 2_000, output: 1e9, spec: 1e9, todos: 1e9, numbered: true }
const wholeRows: DetailRows = { ...allRows, diff: 1e9 }

/** Time in milliseconds after which the duration of a running call is shown. */
const slowMs = 1_000

/**
 * Returns the lines of a call. With `isWhole`, a change of files is shown completely, even if it
 * is very long.
 */
export function drawCall(block: CallBlock, now: number, look: RenderLook, isWhole = false): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  const tool = block.byPerson ? `! ${block.tool}` : block.tool
  const outcome = outcomeOfBlock(block)
  if (outcome) {
    const isLong = !outcome.ok || block.byPerson === true
    const rows = isWhole
      ? wholeRows
      : look.all
        ? allRows
        : isLong
          ? { ...usualRows, output: maxFailedOutput }
          : usualRows
    return indentLines(drawOutcome(outcome, pen, rows, tool))
  }
  const subject = subjectOf(block)
  if (block.state === 'ended') {
    return indentLines([drawHead({ tool, ok: false, subject, facts: ['did not end'] }, pen)])
  }
  const isWaiting = block.state === 'waits'
  const ms = now - block.since
  const facts = isWaiting ? ['waits for an answer'] : ms < slowMs ? [] : [formatDuration(ms)]
  const head = drawHead({ tool, ok: undefined, subject, facts }, pen)
  const last = isWaiting ? undefined : lastLine(block.progress)
  const progress =
    last === undefined ? [] : [`  ${pen.paint({ dim: true })(pen.clip(last, pen.look.width - 2))}`]
  return indentLines([head, ...progress])
}

/**
 * Returns one row for consecutive reads: their number, subjects and total time. With reads and searches in
 * one row, each tool precedes its subjects.
 */
export function drawReads(calls: readonly CallBlock[], look: RenderLook): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  const outcomes = calls.flatMap((call) => {
    const outcome = outcomeOfBlock(call)
    return outcome ? [{ tool: call.tool, subject: subjectOf(outcome), ms: outcome.ms ?? 0 }] : []
  })
  const ms = outcomes.reduce((sum, outcome) => sum + outcome.ms, 0)
  const tools = [...new Set(outcomes.map(({ tool }) => tool))]
  const searching = tools.filter((tool) => finders.has(tool)).length
  const isMixed = searching > 0 && searching < tools.length
  const texts = tools.map((tool) => {
    const toolOutcomes = outcomes.filter((outcome) => outcome.tool === tool && outcome.subject !== '')
    const subjects = new Set(toolOutcomes.map(({ subject }) => subject))
    return isMixed ? `${tool} ${[...subjects].join(', ')}` : [...subjects].join(', ')
  })
  const count = isMixed
    ? countNoun(calls.length, 'call')
    : searching > 0
      ? countNoun(calls.length, 'search', 'searches')
      : countNoun(calls.length, 'read')
  const subject = texts.filter((text) => text !== '').join(isMixed ? '; ' : ', ')
  return indentLines([drawHead({ tool: count, ok: true, subject, facts: [formatDuration(ms)] }, pen)])
}

/** Names of tools whose calls search files. */
const finders: ReadonlySet<string> = new Set(['glob', 'grep', 'finder'])

/** Names of tools that change nothing and whose results are for the model. */
const readers: ReadonlySet<string> = new Set(['read', 'multi_read', 'glob', 'grep', 'finder', 'lsp'])

/**
 * Returns true if a call is folded into one row with similar calls: a successful call of one of `readers`
 * that the model made.
 */
export function isFoldedRead({ tool, state, result, byPerson }: CallBlock): boolean {
  return state === 'ended' && result?.ok === true && !byPerson && readers.has(tool)
}

/** Largest number of rows that are drawn of a result text for the model. */
const maxTextRows = 2_000

/**
 * Returns the rows of a call's result text. Returns an empty list without a result, or if `rows`, the rows of
 * the call, already show a detail.
 */
export function drawResultText({ result }: CallBlock, rows: readonly string[], look: RenderLook): string[] {
  if (!result || rows.filter((row) => row !== '').length > 1) return []
  const pen = penOfLook(narrowLook(look, margin))
  const lines = sanitizeText(result.text, { keepLines: true }).trimEnd().split('\n')
  const hiddenCount = lines.length - maxTextRows
  const more = hiddenCount > 0 ? [`${pen.glyphs.ellipsis} ${countNoun(hiddenCount, 'more line')}`] : []
  const width = Math.max(1, pen.look.width - 2)
  return indentLines(
    [...lines.slice(0, maxTextRows), ...more].map((line) =>
      pen.paint({ dim: true })(`  ${pen.clip(line, width)}`),
    ),
  )
}

/** Returns true if the result of a call is a change of files. */
export function isDiff(block: CallBlock): boolean {
  const outcome = outcomeOfBlock(block)
  return outcome !== undefined && readFileDiffs(outcome).length > 0
}

function lastLine(progress: string | undefined): string | undefined {
  const lines = sanitizeText(progress ?? '', { keepLines: true }).split('\n')
  return lines.findLast((line) => line.trim() !== '')
}

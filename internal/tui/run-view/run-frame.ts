// The lines around a run: a header with model and directory, and a summary with changes, cost and time.

import { homedir } from 'node:os'
import type { BudgetSpending } from '../../agent/budget.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { shortCount } from '../../base/text/short-count.ts'
import type { EventPayload } from '../../event/event.ts'
import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { formatDuration } from '../duration.ts'
import type { ChangedFile } from './file-changes.ts'

/** Largest number of files in the summary. Further files are only counted. */
const maxFiles = 20

/**
 * Returns a line with profile, model, mode if known, and directory. A long directory is cut at its start, and
 * omitted if less than 8 cells are left for it.
 */
export function headerLine({ profile, model, cwd, mode }: EventPayload<'system.init'>, pen: Pen): string {
  const { width } = pen.look
  const whose = [profile, model, ...(mode === undefined ? [] : [mode])].join('  ')
  const leftPart = pen.clip(sanitizeText(whose), width)
  const room = width - pen.cells(leftPart) - 2
  const place = room < 8 ? '' : `  ${pen.clip(sanitizeText(shortDirectory(cwd, homedir())), room, 'end')}`
  return pen.paint({ dim: true })(leftPart + place)
}

export function shortDirectory(path: string, home: string): string {
  if (home === '/' || home === '') return path
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

export interface RunTotals {
  spent: BudgetSpending
  /** Number of calls that were denied. */
  denied: number
  ms: number
}

export function summaryLines(files: readonly ChangedFile[], totals: RunTotals, pen: Pen): string[] {
  const dim = pen.paint({ dim: true })
  const fileRows = files.slice(0, maxFiles).map((file) => fileLine(file, pen))
  const hiddenCount = files.length - fileRows.length
  const more =
    hiddenCount > 0
      ? [dim(pen.clip(`${pen.glyphs.ellipsis} ${countNoun(hiddenCount, 'more file')}`, pen.look.width))]
      : []
  return [...fileRows, ...more, ...pen.wrap(totalsText(totals), pen.look.width).map(dim)]
}

const colors = { A: 'green', M: 'yellow', D: 'red', R: 'cyan' } as const

function fileLine({ kind, path, added, removed, counted }: ChangedFile, pen: Pen): string {
  const counts = counted ? ` +${added} -${removed}` : ''
  const room = pen.look.width - 2 - counts.length
  return (
    `${pen.paint({ color: colors[kind] })(kind)} ` +
    `${pen.clip(sanitizeText(path), room, 'middle')}${counts}`
  )
}

/** Returns the totals of a run as text, for example `$0.0018  1.2k/300 tokens  3 calls, 1 denied  8.2 s`. */
export function totalsText({ spent, denied, ms }: RunTotals): string {
  const { usd, input, output, estimated, calls } = spent
  const cost = usd === null ? 'cost unknown' : `$${usd.toFixed(4)}`
  const tokens = `${estimated ? 'about ' : ''}${shortCount(input)}/${shortCount(output)} tokens`
  const callText = `${countNoun(calls, 'call')}${denied > 0 ? `, ${denied} denied` : ''}`
  return [cost, tokens, callText, formatDuration(ms)].join('  ')
}

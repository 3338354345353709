// The log of a study for users: one line for each entry, with its subject.
import { countNoun } from '../../base/text/count-noun.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import {
  describeDoubt,
  describeNotice,
  describeStudyReason,
  describeTaskEnd,
} from '../../session/board/study-words.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { type ClaimVerdict, type StudyEntry, toStudyEntry } from '../log/entries.ts'
import type { TableRow } from '../log/table-entries.ts'

/**
 * Returns a line of the journal as text: its number, the seconds since `began` (milliseconds since 1970), its
 * kind, and its main content, which some kinds lack.
 */
export function traceLine(line: JournalLine, began: number): string {
  const time = `+${((line.ts - began) / 1000).toFixed(3)}`
  const matter = describeEntry(toStudyEntry(line)).replace(/\s+/g, ' ').trim()
  return sanitizeText(
    `${String(line.seq).padStart(5)} ${time.padStart(9)}  ${line.kind.padEnd(12)} ${matter}`,
  ).trimEnd()
}

function describeEntry(entry: StudyEntry): string {
  switch (entry.kind) {
    case 'study':
      return `${entry.data.id} ${entry.data.question}`
    case 'plan':
      return (
        `by ${entry.data.of}: ` +
        `${entry.data.tasks.map(({ id, objective }) => `${id} ${objective}`).join('; ')}`
      )
    case 'task.started':
      return `${entry.data.task} by ${entry.data.owner}, attempt ${entry.data.attempt}`
    case 'step': {
      const { task, n, reply, usage, mail, ms } = entry.data
      const calls = reply.calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join(', ')
      const read = mail.length > 0 ? `, ${countNoun(mail.length, 'message')} read` : ''
      return (
        `${task} step ${n}, ${usage.input}+${usage.output} tokens, ${ms} ms${read}: ` +
        `${calls || reply.text}`
      )
    }
    case 'result': {
      const { task, tool, ok, evidence, ms } = entry.data
      return (
        `${task} ${tool} ${ok ? 'ok' : 'failed'}, ${ms} ` +
        `ms${evidence.length > 0 ? `: ${evidence.join(', ')}` : ''}`
      )
    }
    case 'evidence':
      return `${entry.data.id} ${entry.data.canonical}:${entry.data.locator}`
    case 'claim':
      return `${entry.data.id} from ${entry.data.evidence}: ${entry.data.text}`
    case 'row':
      return describeRow(entry.data)
    case 'task.ended': {
      const { task, result } = entry.data
      return `${task} ${describeTaskEnd(result.end)}${inParentheses(result.reason)}`
    }
    case 'task.not_run':
      return `${entry.data.task} ${describeStudyReason(entry.data.reason)}`
    case 'task.added':
      return `${entry.data.task.id} ${entry.data.task.objective}: ${entry.data.why}`
    case 'task.lost':
      return `${entry.data.task} of ${entry.data.owner}: ${describeStudyReason(entry.data.why)}`
    case 'verdict':
      return `${entry.data.claim} ${describeVerdict(entry.data)}`
    case 'report':
      return entry.data.failed === undefined
        ? `${entry.data.uncited} uncited`
        : `failed: ${describeStudyReason(entry.data.failed)}`
    case 'notice':
      return `${describeNotice(entry.data.code)}: ${entry.data.text}`
    case 'status':
      return `${entry.data.status}${inParentheses(entry.data.reason)}`
    default:
      return ''
  }
}

const inParentheses = (reason: string | undefined) =>
  reason === undefined ? '' : ` (${describeStudyReason(reason)})`

const describeVerdict = ({ reason, state = 'verified' }: ClaimVerdict) =>
  reason === undefined ? state.replace('_', ' ') : describeDoubt(reason)

const describeRow = ({ task, path, cells, why }: TableRow): string =>
  `${task} ${path}: ${why ?? cells.map(({ column, value }) => `${column} ${value}`).join(', ')}`

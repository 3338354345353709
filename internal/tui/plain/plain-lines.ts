// What happens in a session, as lines to be read one after the other or aloud.

import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import { makePen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { readOffers } from '../../session/permission-offers.ts'
import type { PendingPermission, QueuedMessage } from '../../session/snapshot.ts'
import type { CallBlock, ConversationBlock, SessionView } from '../../session/view/session-view.ts'
import type { UserQuestion } from '../../tool/ask.ts'
import { approvalLines } from '../approval/approval-lines.ts'
import { textLook } from '../approval/argument-lines.ts'
import { compactionLine } from '../compaction-line.ts'
import { formatDuration } from '../duration.ts'
import { diffLines } from '../run-view/diff-lines.ts'
import { nextStepOf } from '../run-view/run-end.ts'
import { drawOutcome } from '../run-view/tool-lines.ts'

const clean = (text: string) => sanitizeText(text, { keepLines: true })
const look = textLook(false)

/** Of one that was not seen while it happened: what was called as well. */
export const pastLinesOf = (block: ConversationBlock, width: number): string[] => [
  ...(block.kind === 'call' ? [callStartLine(block)] : []),
  ...blockLinesOf(block, width),
]

export function blockLinesOf(block: ConversationBlock, width: number): string[] {
  switch (block.kind) {
    case 'user':
      return block.origin === undefined ? [`you: ${clean(block.text)}`] : []
    case 'answer':
      return [`anode: ${clean(block.text)}${block.interrupted ? '\n(stopped here)' : ''}`]
    case 'reasoning':
      return []
    case 'notice':
      return [`note: ${sanitizeText(block.text)}`]
    case 'summary':
      return [compactionLine(block)]
    case 'call':
      return block.state === 'ended' ? callEndLines(block, width) : []
    case 'end':
      return [endLine(block), nextStepOf(block)].filter((line) => line !== '')
  }
}

export function callStartLine({ tool, args }: Pick<CallBlock, 'tool' | 'args'>): string {
  const first = Object.values(Object(args)).find((value) => typeof value === 'string' && value !== '')
  return escapeInvisible(`${tool} started  ${String(first ?? '').split('\n', 1)[0]}`.trimEnd())
}

/** How a call ended, with its diff, output or list below. */
function callEndLines({ id, tool, args, result }: CallBlock, width: number): string[] {
  if (!result) return [`${sanitizeText(tool)} was left open`]
  const { ok, code, exit, ms } = result
  const how = exit !== undefined ? `exit ${exit}` : ok ? 'ok' : (code ?? 'failed')
  const took = ms === undefined ? [] : [formatDuration(ms)]
  const pen = makePen({ width, color: 0, unicode: false, ambiguous: 1, all: false })
  const data = Object(result.data) as Readonly<Record<string, unknown>>
  const outcome = { call: id, tool, args: Object(args), ok, code, text: result.text, data }
  const [, ...below] = drawOutcome({ ...outcome, isCut: result.data_cut === true, ms, writes: [] }, pen)
  return [[`${sanitizeText(tool)} ended`, how, ...took].join(', '), ...below]
}

function endLine({ end, reason, message, ms, usd }: Extract<ConversationBlock, { kind: 'end' }>): string {
  const took = ms === undefined ? '' : ` ${formatDuration(ms)}`
  const cost = usd === undefined ? '' : usd === null ? ' $?' : ` $${usd.toFixed(2)}`
  if (end === 'done') return `done${took}${cost}`
  const why = message ?? reason
  return `${end}${why === undefined ? '' : `: ${sanitizeText(why)}`}${took}${cost}`
}

/** Everything of a call that waits, and the answers by number. */
export function permissionLines(asked: PendingPermission): string[] {
  const { args = {}, cwd = '', origin = 'native', reasons, parts } = asked
  const shown = { tool: asked.tool, origin, child: asked.child, args, cwd, reasons, parts }
  const offers = readOffers(asked)
  const lines = approvalLines(
    { ...shown, always: offers.length > 0 ? offers : undefined },
    undefined,
    look,
    '2 and 3 keep this rule',
  )
  return [...Array.from(lines, ({ text }) => text), permissionChoices(asked)]
}

export function permissionChoices(asked: PendingPermission): string {
  const offers = readOffers(asked).length
  const one = offers > 1 ? ' (3 2: rule 2 alone)' : ''
  const kept = offers > 0 ? `  2 this session  3 this workspace${one}` : ''
  return `answer with a number: 1 allow once${kept}  4 deny  5 deny and say why  6 deny and stop`
}

export const previewLines = ({ preview }: PendingPermission): string[] =>
  (preview?.files ?? []).flatMap((file) => diffLines(file, look)).map(({ text }) => text)

export function questionLines(
  { question, reason, options, allowFreeform, required }: UserQuestion,
  from: string,
) {
  const numbered = options.map(({ label, description }, at) =>
    sanitizeText(`  ${at + 1} ${label}${description ? `: ${description}` : ''}`),
  )
  const ways = [
    ...(options.length > 0 ? ['a number'] : []),
    ...(allowFreeform || options.length === 0 ? ['your own words'] : []),
    ...(required ? [] : ['an empty line for no answer']),
  ]
  return [
    `${sanitizeText(from)} asks: ${clean(question)}`,
    ...(reason ? [clean(reason)] : []),
    ...numbered,
    `answer with ${ways.join(' or ')}; x dismisses the questions`,
  ]
}

export const queueLines = (queue: readonly QueuedMessage[]): string[] =>
  queue.length === 0 ? ['nothing is queued'] : queue.map(({ kind, text }) => `${kind}: ${clean(text)}`)

/** What holds now. */
export function settingsLine({
  model,
  profile,
  mode,
  effort,
}: Pick<SessionView, 'model' | 'profile' | 'mode' | 'effort'>): string {
  const what = model.kind === 'rules' ? ', which answers with quotations found by rule' : ''
  const how = effort === undefined ? '' : `, effort ${effort}`
  return `${profile} with ${sanitizeText(model.id)}${what}${how}, approval ${mode}`
}

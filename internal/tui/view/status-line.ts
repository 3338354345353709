// The status line of a session: what holds now, losing from the right where it is narrow.
import { countNoun } from '../../base/text/count-noun.ts'
import { shortCount } from '../../base/text/short-count.ts'
import type { RenderLook } from '../../render/pen.ts'
import type { TextStyle } from '../../render/text/color.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { formatDuration } from '../duration.ts'
import { formatCost } from '../run-view/run-end.ts'
import { margin, narrowLook, penOfLook } from './look-pen.ts'

interface StatusFact {
  text: string
  /** The highest goes last; facts without one never do. */
  loss?: number
  /** Where there is no room for the text. */
  short?: string
  style?: TextStyle
}

const gap = '  '

/** Profile, model, mode, context, cost, tokens, what waits, agents, queue, and at the right `keys`. */
export function drawStatusLine(view: SessionView, keys: string, look: RenderLook): string {
  const pen = penOfLook(narrowLook(look, margin))
  const { width } = pen.look
  const hint = sanitizeText(keys)
  const sizeOf = (some: readonly StatusFact[]) =>
    some.reduce((sum, { text }) => sum + pen.cells(text), gap.length * Math.max(0, some.length - 1))
  const facts = keepFacts(statusFacts(view), sizeOf, width, hint === '' ? 0 : gap.length + pen.cells(hint))
  const size = () => sizeOf(facts)
  for (const fact of facts) if (size() > width) fact.text = fact.short ?? fact.text
  const [first] = facts
  if (first && size() > width) first.text = pen.clip(first.text, width - size() + pen.cells(first.text))
  const room = width - size() - gap.length
  const end =
    hint === '' || pen.cells(hint) > room ? '' : `${' '.repeat(room + gap.length - pen.cells(hint))}`
  const painted = facts.map(({ text, style }) => pen.paint(style ?? {})(text)).join(gap)
  if (size() > width) return ' '.repeat(margin) + pen.clip(facts.map(({ text }) => text).join(gap), width)
  return ' '.repeat(margin) + painted + (end === '' ? '' : end + pen.paint({ dim: true })(hint))
}

/** Those that have room; where a long one had to go, lesser ones come back that leave the keys theirs. */
function keepFacts(
  all: readonly StatusFact[],
  sizeOf: (facts: readonly StatusFact[]) => number,
  width: number,
  hintCells: number,
): StatusFact[] {
  const lost = all.filter(({ loss }) => loss !== undefined).sort((a, b) => (a.loss ?? 0) - (b.loss ?? 0))
  let kept = [...all]
  let count = 0
  while (sizeOf(kept) > width && count < lost.length) {
    const goes = lost[count++]
    kept = kept.filter((fact) => fact !== goes)
  }
  for (const fact of lost.slice(0, count).reverse()) {
    const more = all.filter((one) => one === fact || kept.includes(one))
    if (sizeOf(more) + hintCells <= width) kept = more
  }
  return kept
}

/** Left of the keys is lost in this order: tokens, cost, queue, agents, profile, model, what starts. */
function statusFacts(view: SessionView): StatusFact[] {
  const { profile, model, effort, mode, context, spending, waits, questions, children, jobs, queue } = view
  const { starting } = view
  const open = waits.length + questions.length
  const tokens = spending.input + spending.output
  const facts: (StatusFact | undefined)[] = [
    { text: sanitizeText(profile), loss: 5, style: { bold: true } },
    { text: sanitizeText(effort === undefined ? model.id : `${model.id} ${effort}`), loss: 6 },
    // before the session is open nothing is known
    {
      text: profile === '' ? '' : sanitizeText(mode),
      style: mode === 'unrestricted' ? { color: 'red', bold: true } : undefined,
    },
    contextFact(context),
    tokens > 0 ? { text: formatCost(spending.usd), loss: 2 } : undefined,
    tokens > 0
      ? { text: `${shortCount(spending.input)}/${shortCount(spending.output)}`, loss: 1 }
      : undefined,
    open > 0
      ? {
          text: countNoun(open, 'waits', 'wait'),
          short: `${open}?`,
          style: { color: 'yellow', bold: true },
        }
      : undefined,
    children.length > 0 ? { text: countNoun(children.length, 'agent'), loss: 4 } : undefined,
    jobs.length > 0 ? { text: countNoun(jobs.length, 'job'), loss: 4 } : undefined,
    starting.length > 0 ? { text: `${countNoun(starting.length, 'server')} starting`, loss: 7 } : undefined,
    queue.length > 0 ? { text: `${queue.length} queued`, loss: 3 } : undefined,
  ]
  return facts.flatMap((fact) => (fact && fact.text !== '' ? [fact] : []))
}

/** Bold from 70 of 100 on, a warning from 85; of a window that nobody knows the tokens. */
function contextFact({ tokens, window }: SessionView['context']): StatusFact | undefined {
  if (window === undefined || window <= 0)
    return tokens > 0 ? { text: `ctx ${shortCount(tokens)}` } : undefined
  const share = Math.round((100 * tokens) / window)
  const style = share >= 85 ? { bold: true, color: 'yellow' } : share >= 70 ? { bold: true } : {}
  return { text: `ctx ${share}%`, short: `${share}%`, style }
}

/** The last line: title at the left; thread, or the keys that had no room above, and time at the right. */
export function drawTitleLine(view: SessionView, now: number, look: RenderLook, keys?: string): string {
  const pen = penOfLook(narrowLook(look, margin))
  const time = view.run ? [formatDuration(now - view.run.since)] : []
  const end = [sanitizeText(keys ?? shortThreadName(view.thread)), ...time].join(gap)
  const room = pen.look.width - pen.cells(end) - gap.length
  const dim = pen.paint({ dim: true })
  if (room < 4) return ' '.repeat(margin) + dim(pen.clip(end, pen.look.width))
  const title = pen.clip(sanitizeText(view.title), room)
  const space = ' '.repeat(pen.look.width - pen.cells(title) - pen.cells(end))
  return ' '.repeat(margin) + dim(title + space + end)
}

/** As it can be given to `--resume`: the ten characters that the last line of a session names as well. */
export const shortThreadName = (thread: string) => thread.replace(/^sess_/, '').slice(0, 10)

// The status line of a session. On narrow screens it drops the least important facts first.
import { countNoun } from '../../base/text/count-noun.ts'
import { shortCount } from '../../base/text/short-count.ts'
import type { RenderLook } from '../../render/pen.ts'
import type { TextStyle } from '../../render/text/color.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ChosenSettings, SessionUsage, SessionWork } from '../../session/snapshot.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { formatDuration } from '../duration.ts'
import { formatCost } from '../run-view/run-end.ts'
import { margin, narrowLook, penOfLook } from './look-pen.ts'

interface StatusFact {
  text: string
  /** Order in which the facts are dropped, lowest first. A fact without this number is never dropped. */
  loss?: number
  /** Shorter text of the fact, for narrow screens. */
  short?: string
  style?: TextStyle
}

const gap = '  '

/**
 * Returns the status line with profile, model, mode, context, cost, tokens, pending answers, subagents, jobs,
 * starting servers and queue, and `keys` at the right. Facts and `keys` without room are omitted, but mode,
 * context and pending answers are only shortened.
 */
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

/**
 * Returns the facts that have room. After a long fact was dropped, shorter ones return if the keys
 * still have room.
 */
function keepFacts(
  all: readonly StatusFact[],
  sizeOf: (facts: readonly StatusFact[]) => number,
  width: number,
  hintCells: number,
): StatusFact[] {
  const lost = all.filter(({ loss }) => loss !== undefined).sort((a, b) => (a.loss ?? 0) - (b.loss ?? 0))
  let keptFacts = [...all]
  let count = 0
  while (sizeOf(keptFacts) > width && count < lost.length) {
    const goes = lost[count++]
    keptFacts = keptFacts.filter((fact) => fact !== goes)
  }
  for (const fact of lost.slice(0, count).reverse()) {
    const more = all.filter((one) => one === fact || keptFacts.includes(one))
    if (sizeOf(more) + hintCells <= width) keptFacts = more
  }
  return keptFacts
}

/**
 * Returns the facts of the status line. They are dropped in this order: tokens, cost, queue, agents and jobs,
 * profile, model, starting servers.
 */
function statusFacts(view: ChosenSettings & SessionWork & SessionUsage): StatusFact[] {
  const { profile, model, effort, mode, context, spending, waits, questions, children, jobs, queue } = view
  const { starting } = view
  const open = waits.length + questions.length
  const tokens = spending.input + spending.output
  const facts: (StatusFact | undefined)[] = [
    { text: sanitizeText(profile), loss: 5, style: { bold: true } },
    { text: sanitizeText(effort === undefined ? model.id : `${model.id} ${effort}`), loss: 6 },
    // Before the session is open, the profile and mode are not known.
    {
      text: profile === '' ? '' : sanitizeText(mode),
      style: mode === 'unrestricted' ? { color: 'red', bold: true } : undefined,
    },
    contextFact(context),
    tokens > 0 && spending.usd !== null ? { text: formatCost(spending.usd), loss: 2 } : undefined,
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

/**
 * Returns the used share of the context window. The text is bold from 70 % and a warning from 85 %. If the
 * size of the window is unknown, returns the number of tokens; undefined without any.
 */
function contextFact({ tokens, window }: SessionUsage['context']): StatusFact | undefined {
  if (window === undefined || window <= 0)
    return tokens > 0 ? { text: `ctx ${shortCount(tokens)}` } : undefined
  const share = Math.round((100 * tokens) / window)
  const style = share >= 85 ? { bold: true, color: 'yellow' } : share >= 70 ? { bold: true } : {}
  return { text: `ctx ${share}%`, short: `${share}%`, style }
}

/**
 * Returns the last line of the screen: the title at the left, and the thread and the duration of the active
 * run at the right. The title is omitted if less than four cells are left for it. `keys` replace the thread
 * if the status line had no room for them.
 */
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

/**
 * Returns the first ten characters of the thread id after `sess_`. The flag `--resume` accepts them, and the
 * last line of a session prints them.
 */
export const shortThreadName = (thread: string) => thread.replace(/^sess_/, '').slice(0, 10)

// Rows about background work: todo list, subagents, jobs and queued messages.
import { countNoun } from '../../base/text/count-noun.ts'
import { shortCount } from '../../base/text/short-count.ts'
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { RunningSubagent } from '../../session/snapshot.ts'
import type { CallBlock, SessionView } from '../../session/view/session-view.ts'
import { subjectOf } from '../../session/view/telling-argument.ts'
import { formatDuration } from '../duration.ts'
import { drawDim } from '../run-view/message.ts'
import { costFacts } from '../run-view/run-end.ts'
import { drawTodos } from '../run-view/tool-lines.ts'
import { indentLines, margin, narrowLook, penOfLook, spreadLine } from './look-pen.ts'

/** Largest number of rows above the editor for subagents. Queued messages may use the same number of rows. */
const maxRows = 3

/**
 * Returns one row with the progress of the todo list and its current item. Returns no row for an empty
 * or finished list.
 */
export function drawTodoRow({ todo }: Pick<SessionView, 'todo'>, look: RenderLook): string[] {
  const done = todo.filter(({ status }) => status === 'completed').length
  if (done === todo.length) return []
  const pen = penOfLook(narrowLook(look, margin))
  const now = todo.find(({ status }) => status === 'in_progress')
  const current = now ? drawTodos([now], penOfLook(narrowLook(look, margin + 16))) : []
  const count = `todo ${done} of ${todo.length}`
  return indentLines([[pen.paint({ dim: true })(pen.clip(count, pen.look.width)), ...current].join('  ')])
}

export function drawTodoList({ todo }: Pick<SessionView, 'todo'>, look: RenderLook): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  if (todo.length === 0) return drawDim('The todo list is empty.', look)
  const done = todo.filter(({ status }) => status === 'completed').length
  return indentLines([
    pen.paint({ bold: true })(pen.clip(`To do: ${done} of ${todo.length} done`, pen.look.width)),
    ...drawTodos(todo, pen),
  ])
}

/**
 * Returns one row for each subagent; with `look.all` also a row about its work, if `childViews` has its view.
 * Otherwise returns at most `maxRows` rows, the last of which counts the remaining subagents.
 */
export function drawAgents(
  { children }: Pick<SessionView, 'children'>,
  now: number,
  look: RenderLook,
  childViews: ChildViews = noViews,
): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  const visibleChildren = look.all || children.length <= maxRows ? children : children.slice(0, maxRows - 1)
  const more = children.length - visibleChildren.length
  const rows = visibleChildren.flatMap((child) => {
    const view = childViews.get(child.thread)?.view
    const row = agentRow(child, now, look, view)
    return look.all && view ? [row, agentWork(view, look)] : [row]
  })
  return indentLines([
    ...rows,
    ...(more > 0 ? [pen.paint({ dim: true })(pen.clip(`${more} more agents`, pen.look.width))] : []),
  ])
}

/**
 * Returns two rows about a subagent for a page: the title with state and time, then the work of the subagent.
 */
export function drawAgentEntry(
  { title, view, child }: { title: string; view: SessionView; child: RunningSubagent | undefined },
  now: number,
  look: RenderLook,
): string[] {
  const pen = penOfLook(look)
  const words = [
    child ? 'works' : 'has ended',
    view.profile === '' ? (child?.profile ?? '') : view.profile,
    ...(child ? [formatDuration(now - child.since)] : []),
  ]
  const facts = words.filter((word) => word !== '').join('  ')
  return [spreadLine(sanitizeText(title), sanitizeText(facts), look.width, pen), agentWork(view, look)]
}

/** Views of the subagents, by thread. */
type ChildViews = ReadonlyMap<string, { view: SessionView }>
const noViews: ChildViews = new Map()

/**
 * Returns a row with the number of calls and the latest call of a subagent, and its tokens and cost so far.
 */
function agentWork(view: SessionView, look: RenderLook): string {
  const pen = penOfLook(narrowLook(look, margin))
  const { what, cost } = describeAgentWork(view)
  const line = spreadLine(`  ${what}`, cost, pen.look.width, pen)
  return pen.paint({ dim: true })(line)
}

/**
 * Returns a text with the number of calls and the latest call of a subagent, `thinks` before its first call,
 * and a text with its tokens and cost so far, empty before the first token. The texts are sanitized.
 */
export function describeAgentWork({ blocks, spending }: SessionView): { what: string; cost: string } {
  const calls = blocks.filter((block): block is CallBlock => block.kind === 'call')
  const call = calls.at(-1)
  const what = call ? `call ${calls.length}  ${call.tool} ${subjectOf(call)}` : 'thinks'
  const tokens = spending.input + spending.output
  // A model that costs nothing shows no price.
  const price = spending.usd === 0 ? [] : costFacts(spending.usd)
  const cost = tokens === 0 ? '' : [`${shortCount(tokens)} tokens`, ...price].join('  ')
  return { what: sanitizeText(what), cost }
}

function agentRow(
  { title, profile, since }: RunningSubagent,
  now: number,
  look: RenderLook,
  view?: SessionView,
): string {
  const pen = penOfLook(narrowLook(look, margin))
  const mark = `${look.unicode ? '●' : '[>]'} `
  const facts = [
    ...(view && !look.all
      ? [countNoun(view.blocks.filter(({ kind }) => kind === 'call').length, 'call')]
      : []),
    ...(profile === undefined ? [] : [sanitizeText(profile)]),
    formatDuration(Math.max(0, now - since)),
  ]
  const room = pen.look.width - pen.cells(mark)
  return pen.paint({ color: 'cyan' })(mark) + spreadLine(sanitizeText(title), facts.join('  '), room, pen)
}

/** Returns one row for each background command. */
export function drawJobs({ jobs }: Pick<SessionView, 'jobs'>, now: number, look: RenderLook): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  const mark = `${look.unicode ? '●' : '[>]'} `
  return indentLines(
    jobs.map(({ job, command, since }) => {
      const facts = `${sanitizeText(job)}  ${formatDuration(Math.max(0, now - since))}`
      const room = pen.look.width - pen.cells(mark)
      return pen.paint({ color: 'cyan' })(mark) + spreadLine(sanitizeText(command), facts, room, pen)
    }),
  )
}

/**
 * Returns one row for each message that the model has not received yet, with the time when it will. Without
 * `look.all` at most `maxRows` rows, the last of which counts the remaining messages.
 */
export function drawQueue({ queue, run }: Pick<SessionView, 'queue' | 'run'>, look: RenderLook): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  const dim = pen.paint({ dim: true })
  const isNarrow = pen.look.width < 50
  const visibleItems = look.all || queue.length <= maxRows ? queue : queue.slice(0, maxRows - 1)
  const rows = visibleItems.map(({ kind, text }) => {
    const [steers, queues] = isNarrow
      ? ['next step', 'after it']
      : ['taken at the next step', 'after this run']
    const when = !run ? 'Enter sends it' : kind === 'steer' ? steers : queues
    return dim(spreadLine(`${kind}  ${sanitizeText(text)}`, when, pen.look.width, pen))
  })
  const more = queue.length - visibleItems.length
  return indentLines([...rows, ...(more > 0 ? [dim(pen.clip(`${more} more wait`, pen.look.width))] : [])])
}

// Updates of a session's view for events about runs: start, end, cost, and subagents.
import type { SessionMode, SessionSpending } from '../snapshot.ts'
import { describeProof } from './check-run.ts'
import {
  addBlock,
  applySnapshot,
  type CallBlock,
  type EventOf,
  type SessionView,
  takeSnapshot,
} from './session-view.ts'

type RunEvent = EventOf<
  'system.init' | 'run.ended' | 'usage' | 'child.started' | 'child.ended' | 'session.changed'
>

export function foldRunEvent(view: SessionView, event: RunEvent): SessionView {
  switch (event.type) {
    case 'system.init': {
      const { profile, model, mode, context } = event.payload
      // A run whose end was never recorded counts as over, and its cost is kept.
      const startedView = { ...settleRun(view), settled: view.spending, run: { since: event.ts, step: 1 } }
      const viewWithWindow = context
        ? { ...startedView, context: { ...view.context, window: context.window } }
        : startedView
      return changeSettings(viewWithWindow, { profile, model, mode })
    }
    case 'session.changed':
      return changeSettings(view, event.payload)
    case 'usage':
      return addUsage(view, event.payload)
    case 'child.started': {
      const { thread, title, profile } = event.payload
      const child = { thread, title, since: event.ts, profile }
      return linkChild({ ...view, children: [...view.children, child] }, thread, title)
    }
    case 'child.ended': {
      const { thread, end } = event.payload
      const children = view.children.filter((one) => one.thread !== thread)
      const usd = addCost(view.spending.usd, end.usd)
      return { ...view, children, spending: { ...view.spending, usd } }
    }
    case 'run.ended':
      return foldEnd(view, event)
  }
}

function changeSettings(
  view: SessionView,
  changed: Extract<RunEvent, { type: 'session.changed' }>['payload'],
): SessionView {
  const { profile = view.profile, title = view.title, effort = view.effort, model, mode } = changed
  return {
    ...view,
    profile,
    title,
    effort,
    model: model === undefined || model === view.model.id ? view.model : { id: model, kind: kindOf(model) },
    ...settleMode(view, (mode as SessionMode | undefined) ?? view.mode),
  }
}

/** Returns the new mode of the view and, while planning, the mode that was active before planning began. */
function settleMode(view: SessionView, mode: SessionMode): Pick<SessionView, 'mode' | 'workMode'> {
  if (mode !== 'plan') return { mode, workMode: undefined }
  return { mode, workMode: view.mode === 'plan' ? view.workMode : view.mode }
}

/** Returns the kind of a model before a snapshot has reported it: built-in models only search and quote. */
const kindOf = (model: string) => (model.startsWith('builtin/') ? 'rules' : 'language')

function addUsage(view: SessionView, usage: EventOf<'usage'>['payload']): SessionView {
  const { spending } = view
  const sum = {
    input: spending.input + usage.input,
    output: spending.output + usage.output,
    cached: spending.cached + (usage.cached ?? 0),
    usd: addCost(spending.usd, usage.usd ?? null),
  }
  return { ...view, spending: sum, context: { ...view.context, tokens: usage.input } }
}

/**
 * Links a subagent to the last running call that has the subagent's title as an argument, because events do
 * not say which call started it.
 */
function linkChild(view: SessionView, thread: string, title: string): SessionView {
  const isOf = ({ args, child, state }: CallBlock) =>
    state === 'running' && child === undefined && Object.values(Object(args)).includes(title)
  const at = view.blocks.findLastIndex((block) => block.kind === 'call' && isOf(block))
  const block = view.blocks[at]
  if (block?.kind !== 'call') return view
  return { ...view, blocks: view.blocks.with(at, { ...block, child: thread }) }
}

/** Reason with which a run ends in this process if it continues in another one. */
export const handedOverReason = 'handed over'

function foldEnd(view: SessionView, event: EventOf<'run.ended'>): SessionView {
  const { end, reason, message, ms, usd, totals = {}, proof } = event.payload
  const { settled } = view
  const figure = (name: 'input' | 'output' | 'cached') => settled[name] + Number(totals[name] ?? 0)
  const cost = usd === undefined ? view.spending.usd : addCost(settled.usd, usd)
  const spending: SessionSpending = {
    input: figure('input'),
    output: figure('output'),
    cached: figure('cached'),
    usd: cost,
  }
  const isHandedOver = end === 'cancelled' && reason === handedOverReason
  const why = { reason: reason !== undefined && !isHandedOver ? reason : undefined, message }
  const took = { ms, usd }
  const endedView = { ...settleRun(settleReasoning(view, event, false)), spending, settled: spending }
  return addBlock(endedView, event, {
    kind: 'end',
    id: event.id,
    end: isHandedOver ? handedOverReason : end,
    ...why,
    ...took,
    proof: proof && describeProof(proof),
  })
}

/**
 * Returns the view after the end of a run. All calls have ended, except those that the user started. All open
 * approvals, questions and subagents are removed.
 */
function settleRun(view: SessionView): SessionView {
  const isLeft = (block: SessionView['blocks'][number]) =>
    block.kind === 'call' && block.state !== 'ended' && block.byPerson !== true
  const blocks = view.blocks.some(isLeft)
    ? view.blocks.map((block) => (isLeft(block) ? ({ ...block, state: 'ended' } as CallBlock) : block))
    : view.blocks
  const calls = view.calls.filter(({ byPerson }) => byPerson)
  const none = { waits: [], questions: [], children: [], announced: [] }
  return { ...view, ...none, calls, blocks, run: undefined, openReply: undefined, checking: undefined }
}

/**
 * Returns the view of a thread whose process has ended: none of its calls and jobs runs any more, and its
 * latest run counts as over.
 */
export function closeView(view: SessionView): SessionView {
  const settled = settleRun(view)
  const endedView = applySnapshot(settled, { ...takeSnapshot(settled), calls: [], jobs: [] })
  return { ...endedView, settled: endedView.spending }
}

/** Returns the sum of two costs, or null if a price was unknown. */
export const addCost = (sum: number | null, more: number | null) =>
  sum === null || more === null ? null : sum + more

/**
 * Turns the reasoning that has arrived, if any, into a separate block, because text, calls or the
 * end follow it.
 */
export function settleReasoning(
  view: SessionView,
  event: { id: string; ts: number },
  isBeforeCalls: boolean,
): SessionView {
  const open = view.openReply
  if (!open || open.reasoning === '') return view
  const isQuiet = isBeforeCalls || open.text !== ''
  const { reasoning: text, since } = open
  const block = { kind: 'reasoning', id: event.id, text, ms: event.ts - since, isQuiet } as const
  return { ...addBlock(view, {}, block), openReply: { ...open, reasoning: '' } }
}

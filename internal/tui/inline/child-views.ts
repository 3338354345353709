// The views of a session's subagents. Each view follows the thread of a subagent while it runs
// and stays afterwards.
import { foldSessionEvent } from '../../session/view/fold.ts'
import {
  type CallBlock,
  type ConversationBlock,
  emptyView,
  type SessionView,
} from '../../session/view/session-view.ts'
import { describeAgentWork } from '../view/work-rows.ts'
import type { InlineState } from './inline-state.ts'

/** Largest number of subagents that are followed. The oldest are forgotten first. */
const maxChildren = 50

type ChildWork = Pick<InlineState['conversation'], 'children'>

const isOfChild = (block: ConversationBlock): block is CallBlock & { child: string } =>
  block.kind === 'call' && block.state !== 'ended' && block.child !== undefined

/**
 * Returns the session's view with the work of each subagent in the open call that started it, so that the
 * work needs no other row. Calls that have ended are unchanged.
 */
export function withChildWork(view: SessionView, { children }: ChildWork): SessionView {
  if (!view.blocks.some(isOfChild)) return view
  const blocks = view.blocks.map((block) => {
    const childView = isOfChild(block) ? children.get(block.child)?.view : undefined
    if (!childView) return block
    const { what, cost } = describeAgentWork(childView)
    const progress = [childView.profile, what, cost].filter((text) => text !== '').join('  ')
    return { ...block, progress }
  })
  return { ...view, blocks }
}

/** Returns the subagents for which the conversation has no open call. */
export function findLooseChildren({ blocks, children }: SessionView): SessionView['children'] {
  const called = new Set(blocks.flatMap((block) => (isOfChild(block) ? [block.child] : [])))
  return children.filter(({ thread }) => !called.has(thread))
}

/** Starts following new subagents of the session, until `signal` aborts. Forgets all but the latest 50. */
export function followChildren(state: InlineState, signal: AbortSignal): void {
  const { children, view } = state.conversation
  const latest = view.children.slice(-maxChildren)
  for (const { thread, title } of latest) {
    if (children.has(thread)) continue
    children.set(thread, { title, view: emptyView(thread) })
    void followChild(state, { thread, title }, signal)
  }
  // ended subagents are not among the latest ones, and stay while there is room
  for (const childThread of [...children.keys()])
    if (children.size > maxChildren && !latest.some(({ thread }) => thread === childThread))
      children.delete(childThread)
}

/**
 * Follows the thread of one subagent until it is forgotten. If the thread cannot be read, its view keeps the
 * last state, and the session reports how the subagent ended.
 */
async function followChild(
  state: InlineState,
  { thread, title }: { thread: string; title: string },
  signal: AbortSignal,
): Promise<void> {
  let view: SessionView = emptyView(thread)
  try {
    for await (const event of state.conversation.client.readTopic({ kind: 'child', thread }, 0, signal)) {
      if (event.type === 'study.board' || event.type === 'experiment.board') continue
      if (!state.conversation.children.has(thread)) return
      view = foldSessionEvent(view, event)
      state.conversation.children.set(thread, { title, view })
      state.screen.changed()
    }
  } catch {
    // the rows keep their last state
  }
}

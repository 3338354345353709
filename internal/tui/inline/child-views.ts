// What the child agents of a session do: each folded from its own thread while it runs, and kept afterwards.
import { foldSessionEvent } from '../../session/view/fold.ts'
import {
  type CallBlock,
  type ConversationBlock,
  emptyView,
  type SessionView,
} from '../../session/view/session-view.ts'
import { describeAgentWork } from '../view/work-rows.ts'
import type { InlineState } from './inline-state.ts'

/** Children that are kept; of more the oldest are forgotten. */
const maxChildren = 50

type ChildWork = Pick<InlineState['conversation'], 'children'>

const isOfChild = (block: ConversationBlock): block is CallBlock & { child: string } =>
  block.kind === 'call' && block.state !== 'ended' && block.child !== undefined

/** The open call of a child agent says what that does: it needs no row of its own then. */
export function withChildWork(view: SessionView, { children }: ChildWork): SessionView {
  if (!view.blocks.some(isOfChild)) return view
  const blocks = view.blocks.map((block) => {
    const known = isOfChild(block) ? children.get(block.child)?.view : undefined
    if (!known) return block
    const { what, cost } = describeAgentWork(known)
    const progress = [known.profile, what, cost].filter((text) => text !== '').join('  ')
    return { ...block, progress }
  })
  return { ...view, blocks }
}

/** Agents of which no open call in the conversation tells. */
export function findLooseChildren({ blocks, children }: SessionView): SessionView['children'] {
  const called = new Set(blocks.flatMap((block) => (isOfChild(block) ? [block.child] : [])))
  return children.filter(({ thread }) => !called.has(thread))
}

/** Begins to follow those who are new. */
export function followChildren(state: InlineState, signal: AbortSignal): void {
  for (const { thread, title } of state.conversation.view.children) {
    if (state.conversation.children.has(thread)) continue
    state.conversation.children.set(thread, { title, view: emptyView(thread) })
    const [oldest] = state.conversation.children.keys()
    if (state.conversation.children.size > maxChildren && oldest !== undefined)
      state.conversation.children.delete(oldest)
    void followChild(state, { thread, title }, signal)
  }
}

/** What cannot be read is not shown; the session itself says what became of the child. */
async function followChild(
  state: InlineState,
  { thread, title }: { thread: string; title: string },
  signal: AbortSignal,
): Promise<void> {
  let view: SessionView = emptyView(thread)
  try {
    for await (const event of state.conversation.client.readTopic({ kind: 'child', thread }, 0, signal)) {
      if (event.type === 'study.board' || event.type === 'experiment.board') continue
      view = foldSessionEvent(view, event)
      state.conversation.children.set(thread, { title, view })
      state.screen.changed()
    }
  } catch {
    // its rows stay as they were last seen
  }
}

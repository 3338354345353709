// The view of a session, folded from events: its type, its bounded list of blocks, and snapshots of it.
import type { EventPayload } from '../../event/event.ts'
import type { ThreadPosition } from '../client.ts'
import type {
  ChildAgent,
  OpenReply,
  PendingPermission,
  QueuedMessage,
  RunningCall,
  RunningJob,
  SessionSnapshot,
  SessionSpending,
} from '../snapshot.ts'

/** One thing of the conversation, in the order in which it happened. `pos` of stored ones. */
export type ConversationBlock = { pos?: ThreadPosition } & (
  | { kind: 'user'; id: string; text: string; images: number; origin?: 'note' | 'mail' }
  | { kind: 'answer'; id: string; text: string; interrupted: boolean }
  /** A call from its beginning to its result; the same object is replaced by one with more in it. */
  | CallBlock
  /** What a model thought, which is never stored; `isQuiet`: before calls or within a reply. */
  | { kind: 'reasoning'; id: string; text: string; ms: number; isQuiet: boolean }
  | { kind: 'notice'; id: string; text: string; tone: 'plain' | 'warning' | 'error' }
  | { kind: 'summary'; id: string; text: string; replaced: number; kept: number; tokens?: TokenChange }
  | {
      kind: 'end'
      id: string
      end: string
      reason?: string
      message?: string
      ms?: number
      usd?: number | null
    }
)

/** Estimated tokens of a conversation before and after it was shortened. */
interface TokenChange {
  before: number
  after: number
}

export interface CallBlock {
  kind: 'call'
  id: string
  /** Made by the person, not by the model. */
  byPerson?: boolean
  tool: string
  args: unknown
  since: number
  state: 'waits' | 'running' | 'ended'
  progress?: string
  /** Of the child agent that this call has started. */
  child?: string
  result?: EventPayload<'tool.result'>
}

export interface SessionView {
  thread: string
  title: string
  profile: string
  model: SessionSnapshot['model']
  mode: SessionSnapshot['mode']
  workMode?: SessionSnapshot['workMode']
  effort?: SessionSnapshot['effort']
  /** At most 500, the newest; `dropped` says how many lie before. */
  blocks: readonly ConversationBlock[]
  dropped: number
  /** Undefined between replies. */
  openReply: OpenReply | undefined
  run: { since: number; step: number } | undefined
  calls: readonly RunningCall[]
  /** In the order in which they came. */
  waits: readonly PendingPermission[]
  questions: SessionSnapshot['questions']
  queue: readonly QueuedMessage[]
  todo: SessionSnapshot['todo']
  children: readonly ChildAgent[]
  /** Commands in the background, from run to run. */
  jobs: readonly RunningJob[]
  starting: SessionSnapshot['starting']
  spending: SessionSpending
  settled: SessionSpending
  context: SessionSnapshot['context']
  /** Calls of the last response by the model's ids: a refused call has its arguments nowhere else. */
  announced: readonly { id: string; name: string; args: unknown }[]
  /** The last stored event that is in this view. */
  pos: ThreadPosition
}

const noSpending = { input: 0, output: 0, cached: 0, usd: 0 }

/** The view before any event. */
export function emptyView(thread: string): SessionView {
  return {
    thread,
    title: '',
    profile: '',
    model: { id: '', kind: 'language' },
    mode: 'ask',
    blocks: [],
    dropped: 0,
    openReply: undefined,
    run: undefined,
    announced: [],
    pos: 0,
    calls: [],
    waits: [],
    questions: [],
    queue: [],
    todo: [],
    children: [],
    jobs: [],
    starting: [],
    spending: noSpending,
    settled: noSpending,
    context: { tokens: 0 },
  }
}

/** The part of a view that does not follow from stored events. */
export function takeSnapshot(view: SessionView): SessionSnapshot {
  const { blocks: _, dropped: __, pos: ___, announced: ____, run, openReply, ...rest } = view
  return { ...rest, run, openReply }
}

/** Applies a snapshot to a view. Without a run, only the calls that the snapshot names continue. */
export function applySnapshot(view: SessionView, snapshot: SessionSnapshot): SessionView {
  const { run, openReply, ...rest } = snapshot
  const blocks = view.blocks.map((block): SessionView['blocks'][number] => {
    if (block.kind !== 'call' || block.state === 'ended') return block
    const running = rest.calls.find(({ call }) => call === block.id)
    if (!running && !run) return { ...block, state: 'ended' }
    return running?.message === undefined ? block : { ...block, progress: running.message }
  })
  return { ...view, ...rest, blocks, run, openReply }
}

/** Blocks that a view holds; older ones are counted only. */
const maxBlocks = 500

/** Adds a block at the end; `event` is the one that the block comes from. */
export function addBlock(view: SessionView, event: { pos?: number }, block: ConversationBlock): SessionView {
  const placed = event.pos === undefined ? block : { pos: event.pos, ...block }
  const surplus = Math.max(0, view.blocks.length + 1 - maxBlocks)
  return { ...view, blocks: [...view.blocks.slice(surplus), placed], dropped: view.dropped + surplus }
}

export function findCallBlock(view: SessionView, call: string): CallBlock | undefined {
  const block = view.blocks.findLast((one) => one.kind === 'call' && one.id === call)
  return block?.kind === 'call' ? block : undefined
}

/** Replaces the block of the same call. */
export function replaceCallBlock(view: SessionView, block: CallBlock): SessionView {
  const at = view.blocks.findLastIndex((one) => one.kind === 'call' && one.id === block.id)
  return at < 0 ? view : { ...view, blocks: view.blocks.with(at, block) }
}

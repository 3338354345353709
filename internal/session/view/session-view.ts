// View of a session, computed from events: its type, its list of blocks with limited length,
// and its snapshots.
import type { Event, EventPayload } from '../../event/event.ts'
import type { ThreadPosition } from '../client.ts'
import type {
  ChosenSettings,
  OpenReply,
  SessionSnapshot,
  SessionUsage,
  SessionWork,
  UserWaits,
} from '../snapshot.ts'

/** An event of one of the types, with its position if it is stored. */
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }> & { pos?: number }

/** One block of the conversation. A block of a stored event has `pos`, the position of the event. */
export type ConversationBlock = { pos?: ThreadPosition } & (
  | { kind: 'user'; id: string; text: string; images: number; origin?: 'note' | 'mail' }
  | { kind: 'answer'; id: string; text: string; interrupted: boolean }
  /** A call from its beginning to its result; each change replaces the object. */
  | CallBlock
  /** A model's reasoning, which is never stored; `isQuiet`: before calls or within a response. */
  | { kind: 'reasoning'; id: string; text: string; ms: number; isQuiet: boolean }
  | { kind: 'notice'; id: string; text: string; tone: 'plain' | 'warning' | 'error'; mark?: '✔' | '✖' }
  | { kind: 'summary'; id: string; text: string; replaced: number; kept: number; tokens?: TokenChange }
  | {
      kind: 'end'
      id: string
      end: string
      reason?: string
      message?: string
      ms?: number
      usd?: number | null
      /** For the end of a run: which check proves its work, or why none does. */
      proof?: string
    }
)

/** Estimated tokens of a conversation before and after compaction. */
interface TokenChange {
  before: number
  after: number
}

export interface CallBlock {
  kind: 'call'
  id: string
  /** True if the user and not the model made the call. */
  byPerson?: boolean
  tool: string
  args: unknown
  since: number
  state: 'waits' | 'running' | 'ended'
  progress?: string
  /** Thread of the subagent that this call has started. */
  child?: string
  result?: EventPayload<'tool.result'>
}

/** The whole state of a session: all of its snapshot, and what follows from stored events. */
export interface SessionView extends ChosenSettings, SessionWork, SessionUsage {
  thread: string
  title: string
  /** At most 500 blocks, the latest ones; `dropped` is the number of earlier ones. */
  blocks: readonly ConversationBlock[]
  dropped: number
  /** Unfinished response; undefined between responses. */
  openReply: OpenReply | undefined
  run: SessionSnapshot['run']
  checking: SessionSnapshot['checking']
  /**
   * Calls of the last response, with the model's ids. Only this list has the arguments of a call that was
   * denied at once.
   */
  announced: readonly { id: string; name: string; args: unknown }[]
  /** Position of the last stored event in this view. */
  pos: ThreadPosition
}

const noSpending = { input: 0, output: 0, cached: 0, usd: 0 }

/** Returns the view before any event. */
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
    checking: undefined,
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

/**
 * Returns the state of a view that a reader cannot compute from stored events: all of it except blocks,
 * position and announced calls.
 */
export function takeSnapshot(view: SessionView): SessionSnapshot {
  const { blocks: _, dropped: __, pos: ___, announced: ____, run, openReply, checking, ...rest } = view
  return { ...rest, run, openReply, checking }
}

/**
 * Returns the view with the state of a snapshot. If no run is active, only the calls in the
 * snapshot still run.
 */
export function applySnapshot(view: SessionView, snapshot: SessionSnapshot): SessionView {
  const { run, openReply, checking, ...rest } = snapshot
  const blocks = view.blocks.map((block): SessionView['blocks'][number] => {
    if (block.kind !== 'call' || block.state === 'ended') return block
    const running = rest.calls.find(({ call }) => call === block.id)
    if (!running && !run) return { ...block, state: 'ended' }
    return running?.message === undefined ? block : { ...block, progress: running.message }
  })
  return { ...view, ...rest, blocks, run, openReply, checking }
}

/** Largest number of blocks that a view stores. Earlier blocks are only counted. */
const maxBlocks = 500

/** Adds a block at the end. `event` is the event from which the block was made. */
export function addBlock(view: SessionView, event: { pos?: number }, block: ConversationBlock): SessionView {
  const placed = event.pos === undefined ? block : { pos: event.pos, ...block }
  const surplus = Math.max(0, view.blocks.length + 1 - maxBlocks)
  return { ...view, blocks: [...view.blocks.slice(surplus), placed], dropped: view.dropped + surplus }
}

/** Returns true if calls wait for permission, or questions for an answer. */
export const waitsForUser = ({ waits, questions }: UserWaits): boolean => waits.length + questions.length > 0

export function findCallBlock(view: SessionView, call: string): CallBlock | undefined {
  const block = view.blocks.findLast((one) => one.kind === 'call' && one.id === call)
  return block?.kind === 'call' ? block : undefined
}

/** Replaces the block of the same call. Without such a block, the view is returned unchanged. */
export function replaceCallBlock(view: SessionView, block: CallBlock): SessionView {
  const at = view.blocks.findLastIndex((one) => one.kind === 'call' && one.id === block.id)
  return at < 0 ? view : { ...view, blocks: view.blocks.with(at, block) }
}

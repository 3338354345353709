// The view of a session: what a screen draws from, folded from events.
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
  /** Calls of the last reply by the model's ids: a call that is refused has its arguments nowhere else. */
  announced: readonly { id: string; args: unknown }[]
  /** The last stored event that is in this view. */
  pos: ThreadPosition
}

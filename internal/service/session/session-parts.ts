// The parts of a session in this process. A function that needs some of them has only those as a parameter.
import type { SessionPlanning } from '../../runtime/agent/session-planning.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { AgentSettings } from './agent-settings.ts'
import type { MessageQueue } from './message-queue.ts'
import type { ModelNotes } from './model-notes.ts'
import type { PendingAnswers } from './pending-answers.ts'
import type { SessionCalls } from './session-calls.ts'
import type { SessionFeedView } from './session-feed-view.ts'
import type { SessionRuns } from './session-runs.ts'
import type { SessionThread } from './session-thread.ts'
import type { SessionTurns } from './session-turns.ts'
import type { SessionRuntime } from './startup/session-runtime.ts'
import type { UserCalls } from './user-call.ts'
import type { WatchedJobs } from './watched-jobs.ts'

export interface SessionParts {
  readonly context: WorkspaceContext
  readonly feed: SessionFeedView
  readonly settings: AgentSettings
  readonly thread: SessionThread
  readonly runtime: SessionRuntime
  readonly answers: PendingAnswers
  readonly queue: MessageQueue
  readonly planning: SessionPlanning
  readonly jobs: WatchedJobs
  readonly notes: ModelNotes
  readonly calls: SessionCalls
  readonly userCalls: UserCalls
  readonly runs: SessionRuns
  readonly turns: SessionTurns
  /** Aborts when the session begins to close. */
  readonly closing: AbortSignal
  /** Opens servers and plugins before a run needs them. Called after a screen has rendered its first view. */
  openAhead(): void
}

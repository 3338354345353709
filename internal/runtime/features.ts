// Features that a session may use and that are built on the runtime: it knows them by these functions alone.

import type { McpServers } from '../mcp/mcp-servers.ts'
import type { Model } from '../model/model.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { ProfileSet } from '../profile/profile-set.ts'
import type { QuestionRelay } from '../relay/question-relay.ts'
import type { Mailbox } from '../store/mail/mailbox.ts'
import type { Store } from '../store/store.ts'
import type { AgentSpawner } from '../tool/agents.ts'
import type { CronJobs } from '../tool/cron-jobs.ts'
import type { UserChannel } from '../tool/ctx.ts'
import type { ExperimentCapability } from '../tool/experiments.ts'
import type { ReviewRunner } from '../tool/review.ts'
import type { ParentAgent } from './agent/parent-agent.ts'
import type { RelaySettings } from './relay/relay-settings.ts'
import type { WorkspaceContext } from './workspace/workspace.ts'

/** Each opens its feature with the first use. */
export interface RuntimeFeatures {
  /**
   * The mailboxes of a study; `scope` is `study:<id>`. Rejects with UserError when its engine does not
   * answer.
   */
  mail(scope: string, location: MailLocation): Promise<Mailbox>
  /** The scheduled jobs of a workspace. */
  cron(context: WorkspaceContext, store: () => Promise<Store>): Promise<CronJobs>
  /** The experiments of a workspace. */
  research(location: ExperimentLocation): ExperimentCapability
  /** Rejects with UserError for settings that name no relay, or one that cannot be used. */
  relay(settings: RelaySettings, context: WorkspaceContext, means: RelayMeans): Promise<QuestionRelay>
  /** A file of answers, or the user at a terminal; undefined where neither is given. */
  user(options: UserOptions): UserChannel | undefined
  /** Reviews changes with subagents of `parent`. */
  review(parent: ReviewParent): ReviewRunner
}

/** An agent that wants a review, with the model that the configuration names where it has none of its own. */
export interface ReviewParent extends ParentAgent {
  /** Absent: the model of the parent, else that of the profile for reviews. */
  spec?: string | undefined
  runtime: {
    readonly context: WorkspaceContext
    profiles(): Promise<ProfileSet>
    model(spec: string | undefined, note?: (text: string) => void): Promise<Model>
    spawn(of: ParentAgent): AgentSpawner
  }
}

export interface MailLocation {
  data: string
  env: Readonly<Record<string, string | undefined>>
  store: () => Promise<Store>
  /** Called with what has to be closed with the session. */
  closing: (close: () => Promise<void>) => void
}

export interface ExperimentLocation {
  workspace: string
  env: Readonly<Record<string, string | undefined>>
  run: RunCommand
  trusted: boolean
}

/** What a relay uses to reach the user. */
export interface RelayMeans {
  run: RunCommand
  fetch: GuardedFetch
  servers(): Promise<McpServers | undefined>
}

export interface UserOptions {
  /** Path of a file of answers; it comes before the terminal. */
  answers?: string
  /** Streams of a terminal where the user can be asked. */
  terminal: UserTerminal | undefined
  env: Readonly<Record<string, string | undefined>>
  /** Whether a terminal shows options as numbered lines; asked with the first question. */
  isNumbered?: () => boolean
}

export interface UserTerminal {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  /** Ends the question that is open. */
  interrupt?(): void
}

// Features of other packages that the runtime opens through functions, so that it does not import them.

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
import type { VerificationCapability } from '../tool/verification.ts'
import type { ParentAgent } from './agent/parent-agent.ts'
import type { RelaySettings } from './relay/relay-settings.ts'
import type { WorkspaceContext } from './workspace/workspace.ts'

/** Functions that each open a feature on first use. */
export interface RuntimeFeatures {
  /**
   * Opens the mailboxes of a study; `scope` is `study:<id>`. Rejects with UserError if its
   * engine does not answer.
   */
  mail(scope: string, location: MailLocation): Promise<Mailbox>
  /** Opens the scheduled jobs of a workspace. */
  cron(context: WorkspaceContext, store: () => Promise<Store>): Promise<CronJobs>
  /** Opens the experiments of a workspace. */
  research(location: ExperimentLocation): ExperimentCapability
  /** Opens proofs, comparisons and studies of a workspace. */
  verification(location: ExperimentLocation): Promise<VerificationCapability>
  /**
   * Opens a relay, which sends questions to the user on another device. Rejects with UserError if the
   * settings name no relay or an unusable one.
   */
  relay(settings: RelaySettings, context: WorkspaceContext, means: RelayMeans): Promise<QuestionRelay>
  /**
   * Returns the function that gets answers from a file or from the user at a terminal; undefined if
   * neither is given.
   */
  user(options: UserOptions): UserChannel | undefined
  /** Returns a runner that reviews changes with subagents of `parent`. */
  review(parent: ReviewParent): ReviewRunner
}

/** An agent that wants a review, and the model for it. */
export interface ReviewParent extends ParentAgent {
  /**
   * Model of the review if the parent agent has no model. Default: the model of the review profile, or else
   * that of the configuration.
   */
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
  /** Registers a function that the session calls when it closes. */
  closing: (close: () => Promise<void>) => void
}

export interface ExperimentLocation {
  workspace: string
  env: Readonly<Record<string, string | undefined>>
  run: RunCommand
  trusted: boolean
}

/** Functions that a relay uses to reach the user. */
export interface RelayMeans {
  run: RunCommand
  fetch: GuardedFetch
  servers(): Promise<McpServers | undefined>
}

export interface UserOptions {
  /** Path of a file of answers. The file has precedence over the terminal. */
  answers?: string
  /** Streams of a terminal on which the user can answer. */
  terminal: UserTerminal | undefined
  env: Readonly<Record<string, string | undefined>>
  /** Returns true if a terminal shows options as numbered lines. Called when the first question is shown. */
  isNumbered?: () => boolean
}

export interface UserTerminal {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  /** Dismisses the open question. */
  interrupt?(): void
}

// Options of one headless run.
import type { BudgetCaps } from '../../agent/budget.ts'
import type { Event } from '../../event/event.ts'
import type { MessageContent, ModelMessage } from '../../model/model.ts'
import type { ApprovalHandler } from '../../tool/ctx.ts'
import type { RuntimeOptions } from '../runtime.ts'
import type { AnswerWait } from './question-channel.ts'
import type { GoalOptions } from './stop-gate.ts'

/** Functions by which a run reaches the program or user that started it. */
export interface RunClient {
  ask: ApprovalHandler
  /** Called for every call that neither the user nor the relay has answered. */
  onUnanswered?(): void
  /**
   * Returns the messages that arrived since the last call. With `isIdle`, the run ends unless it gets a
   * message, so `inbox` may wait for one.
   */
  inbox(isIdle: boolean): Promise<ModelMessage[]>
  /** Resolves when `inbox` has a message of the user. Rejects if `signal` aborts. */
  interruption?(signal: AbortSignal): Promise<void>
  /** True if the run waits for more messages after an answer. It then stores all events before it waits. */
  staysOpen?: boolean
  note(text: string): void
}

export interface RunOptions extends RuntimeOptions, GoalOptions, RunClient {
  /** The user's message. Undefined to continue a resumed thread without a new message. */
  prompt: MessageContent | undefined
  /** True if the program wrote the prompt, not the user. */
  isProgramPrompt?: boolean
  profile?: string
  /** Name of a task; if `profile` is undefined, the run uses the profile whose `serves` lists the name. */
  serves?: string
  model?: string
  /** True to use only the first model of a list, without a change to the next one if it fails. */
  isSwitchBarred?: boolean
  maxTurns?: number
  /** Names and globs of the tools that the run may use. Default: all tools of the profile. */
  tools?: readonly string[]
  caps: BudgetCaps
  /**
   * Thread to resume, or with `fork` to copy, up to the event at position `at`. Default: up to
   * its last event.
   */
  resume?: { thread: string; fork: boolean; at?: number }
  label?: string
  /** Parent thread of a new thread. */
  parent?: string
  /** True to start with a plan: until the user approves it, the agent can write only the plan file. */
  plan?: boolean
  /** Name of the task, with which a scripted test model finds its stored responses. */
  task?: string
  /** Gets every event once, in order. A recorded event arrives after it is stored. */
  show(event: Event): void
  /** Waits for an answer from the client that reads the events. Undefined if that client cannot answer. */
  awaitAnswer?: AnswerWait
}

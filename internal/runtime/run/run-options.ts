// What can be asked of one headless run.
import type { BudgetCaps } from '../../agent/budget.ts'
import type { Event } from '../../event/event.ts'
import type { MessageContent, ModelMessage } from '../../model/model.ts'
import type { ApprovalHandler } from '../../tool/ctx.ts'
import type { RuntimeOptions } from '../runtime.ts'
import type { AnswerWait } from './question-channel.ts'

export interface RunOptions extends RuntimeOptions {
  /** What the person wants; absent when a resumed thread is to go on by itself. */
  prompt: MessageContent | undefined
  /** The program wrote the prompt, not the user. */
  isProgramPrompt?: boolean
  profile?: string
  /** Without `profile`: the profile that serves this tool. */
  serves?: string
  model?: string
  /** Of a list of models the first alone is asked. */
  isSwitchBarred?: boolean
  maxTurns?: number
  ask: ApprovalHandler
  /** Called with every call that nobody has answered, the relay neither. */
  onUnanswered?(): void
  /** Names and globs; absent: all of the profile's. */
  tools?: readonly string[]
  caps: BudgetCaps
  /** Thread to go on with; with `fork` in a copy of it, up to event `at`. */
  resume?: { thread: string; fork: boolean; at?: number }
  label?: string
  /** Thread that this run counts in; for a new thread only. */
  parent?: string
  /** Begin with a plan: nothing but its file is written until a person approves it. */
  plan?: boolean
  /** What requests of this run are about, for models whose replies are written down per task. */
  task?: string
  /** Every event once, in order, after it is stored. */
  show(event: Event): void
  /**
   * What a person has said since; `isIdle`: the run ends unless there is more, so that it may be waited for.
   */
  inbox(isIdle: boolean): Promise<ModelMessage[]>
  /** Waits for an answer of whoever reads the events; absent: nobody answers in this way. */
  awaitAnswer?: AnswerWait
  /** Resolves when the person has said something that `inbox` holds; rejects when `signal` aborts. */
  interruption?(signal: AbortSignal): Promise<void>
  /** Messages may come after an answer too: what was recorded is handed out before they are waited for. */
  staysOpen?: boolean
  note(text: string): void
}

// State that the parts of an editor's open session share.
import type { AgentContext, ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { EventPayload } from '../event/event.ts'
import type { CommandReply, SessionEvent } from '../session/client.ts'
import type { SessionCommand } from '../session/commands.ts'
import type { SessionView } from '../session/view/session-view.ts'
import type { AcpBackend, OpenedEditorSession } from './acp-backend.ts'
import type { OfferedChoices } from './session-options.ts'
import type { ShownTerminals } from './shown-terminals.ts'

export interface AcpSessionParts {
  opened: OpenedEditorSession
  backend: AcpBackend
  peer: AgentContext
  capabilities: ClientCapabilities | undefined
  /** The editor's terminals that tool calls have opened. */
  terminals: ShownTerminals
}

/**
 * How a prompt ended: `ended` with its run, `broken` by an error that the session reports in a notice,
 * `closed` with the session's stream of events.
 */
export type TurnEnd =
  | { kind: 'ended'; end: EventPayload<'run.ended'> }
  | { kind: 'broken'; why: string }
  | { kind: 'closed' }

export interface PromptTurn {
  /** Whether the model has received the prompt. If it has, the next end of a run also ends the prompt. */
  isDelivered: boolean
  isCancelled: boolean
  /**
   * Stops the command, such as /study, that runs outside of the session and answers the prompt. Default: the
   * session itself answers.
   */
  stop?(): void
  finish(end: TurnEnd): void
}

/** A question to the editor's user that waits for an answer: the approval of a call, or its questionnaire. */
export interface OpenQuestion {
  readonly stop: AbortController
  /** Ends the wait for the preview of the call's file changes, which has arrived. */
  previewed(): void
}

export interface AcpSessionState extends AcpSessionParts {
  readonly id: string
  view(): SessionView
  /**
   * Sends an update to the editor, in the order of the calls. Does nothing after the session was closed or
   * the editor has disconnected.
   */
  notify(update: SessionUpdate): Promise<void>
  send(command: SessionCommand): Promise<CommandReply>
  choices: OfferedChoices
  /** Open questions by the id of their call. */
  readonly questions: Map<string, OpenQuestion>
  turn: PromptTurn | undefined
  /** Functions that are called with every event, after the editor was sent the updates for the event. */
  readonly watchers: Set<(event: SessionEvent) => void>
  readonly stop: AbortController
}

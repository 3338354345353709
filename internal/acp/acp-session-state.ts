// What the parts of one session of an editor share while it is open.
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
  /** The terminals of the editor that calls use. */
  terminals: ShownTerminals
}

/** How a prompt ended: with its run, with an error that no run tells of, or with the session. */
export type TurnEnd =
  | { kind: 'ended'; end: EventPayload<'run.ended'> }
  | { kind: 'broken'; why: string }
  | { kind: 'closed' }

export interface PromptTurn {
  /** The model has been given the prompt: the next end of a run is its end. */
  isDelivered: boolean
  isCancelled: boolean
  /** Ends another command of the program that answers the prompt. */
  stop?(): void
  finish(end: TurnEnd): void
}

/** A call that the person behind the editor is asked about. */
export interface OpenQuestion {
  readonly stop: AbortController
  /** What the call would make of files is known. */
  previewed(): void
}

export interface AcpSessionState extends AcpSessionParts {
  readonly id: string
  view(): SessionView
  /** In order; does nothing once the editor has gone. */
  notify(update: SessionUpdate): Promise<void>
  send(command: SessionCommand): Promise<CommandReply>
  choices: OfferedChoices
  /** By call. */
  readonly questions: Map<string, OpenQuestion>
  turn: PromptTurn | undefined
  /** Called with every event once the editor was told of it. */
  readonly watchers: Set<(event: SessionEvent) => void>
  readonly stop: AbortController
}

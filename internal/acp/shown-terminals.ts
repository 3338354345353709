// The terminals of the editor that each call has opened, shown in the call once the editor knows of it.
import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk/unstable'

export interface ShownTerminals {
  /**
   * Adds a terminal that a call has opened. It is shown at once if the editor knows that the call is
   * running, else later.
   */
  open(call: string, terminal: string): void
  /** Notes an update that was sent. Once it announces a running call, the terminals of the call are shown. */
  noteSent(update: SessionUpdate): void
  /** Returns the terminals of a call as content; undefined for a call without terminals. */
  contentOf(call: string): ToolCallContent[] | undefined
  forget(call: string): void
  /** Sends an update to the editor. */
  notify: (update: SessionUpdate) => void
}

export function createShownTerminals(): ShownTerminals {
  const opened = new Map<string, string[]>()
  /** Calls that the editor knows to be running. */
  const runningCalls = new Set<string>()
  const update = (call: string) => {
    const content = terminals.contentOf(call)
    if (runningCalls.has(call) && content)
      terminals.notify({ sessionUpdate: 'tool_call_update', toolCallId: call, content })
  }
  const terminals: ShownTerminals = {
    open(call, terminal) {
      opened.set(call, [...(opened.get(call) ?? []), terminal])
      update(call)
    },
    noteSent(sentUpdate) {
      const isCall =
        sentUpdate.sessionUpdate === 'tool_call' || sentUpdate.sessionUpdate === 'tool_call_update'
      if (!isCall || sentUpdate.status !== 'in_progress') return
      runningCalls.add(sentUpdate.toolCallId)
      update(sentUpdate.toolCallId)
    },
    contentOf: (call) => opened.get(call)?.map((terminalId) => ({ type: 'terminal' as const, terminalId })),
    forget(call) {
      opened.delete(call)
      runningCalls.delete(call)
    },
    notify: () => undefined,
  }
  return terminals
}

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
  const known = new Set<string>()
  const update = (call: string) => {
    const content = shown.contentOf(call)
    if (known.has(call) && content)
      shown.notify({ sessionUpdate: 'tool_call_update', toolCallId: call, content })
  }
  const shown: ShownTerminals = {
    open(call, terminal) {
      opened.set(call, [...(opened.get(call) ?? []), terminal])
      update(call)
    },
    noteSent(sent) {
      const isCall = sent.sessionUpdate === 'tool_call' || sent.sessionUpdate === 'tool_call_update'
      if (!isCall || sent.status !== 'in_progress') return
      known.add(sent.toolCallId)
      update(sent.toolCallId)
    },
    contentOf: (call) => opened.get(call)?.map((terminalId) => ({ type: 'terminal' as const, terminalId })),
    forget(call) {
      opened.delete(call)
      known.delete(call)
    },
    notify: () => undefined,
  }
  return shown
}

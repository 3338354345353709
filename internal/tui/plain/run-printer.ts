// A run as lines for a pipe or a file: what has happened, what happens, and how it ended.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView } from '../../session/view/view-snapshot.ts'
import { blockLinesOf, callStartLine } from './plain-lines.ts'

const width = 100

interface RunPrinter {
  /** Lines that are complete with this event, and what whoever waits for them should know. */
  take(event: SessionEvent): { lines: string[]; notes: string[] }
  /** Nothing goes on and nothing is to come, as far as a process that lives has said. */
  isOver(): boolean
  /** How the last run ended; undefined where none has. */
  end(): string | undefined
}

export function createRunPrinter(thread: string): RunPrinter {
  let view = emptyView(thread)
  let isCurrent = false
  const printed = new Set<string>()
  const asked = new Set<string>()
  const lastEnd = () => {
    const block = view.blocks.at(-1)
    return block?.kind === 'end' ? block.end : undefined
  }
  return {
    take(event) {
      view = foldSessionEvent(view, event)
      isCurrent ||= event.type === 'session.snapshot'
      const lines = view.blocks.flatMap((block) => {
        const begun = `${block.id} begun`
        const start = block.kind !== 'call' || printed.has(begun) ? [] : [callStartLine(block)]
        if (start.length > 0) printed.add(begun)
        const own = printed.has(block.id) ? [] : blockLinesOf(block, width)
        if (own.length > 0) printed.add(block.id)
        return [...start, ...own]
      })
      const waits = [
        ...view.waits.map(({ call, tool }) => [call, tool] as const),
        ...view.questions.map(({ call }) => [call, 'a question'] as const),
      ].filter(([call]) => isCurrent && !asked.has(call))
      for (const [call] of waits) asked.add(call)
      const notes = waits.map(
        ([, what]) => `${sanitizeText(what)} waits for an answer: \`anode attach\` on a terminal`,
      )
      return { lines, notes }
    },
    isOver: () => isCurrent && !view.run && view.queue.length === 0 && lastEnd() !== undefined,
    end: lastEnd,
  }
}

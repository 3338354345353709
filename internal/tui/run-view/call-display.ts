// The calls of a run on a terminal: which are running, and for each that has ended what it did.
import type { Event, EventPayload } from '../../event/event.ts'
import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { type ChangedFile, collectChanges } from './file-changes.ts'
import { drawOutcome } from './tool-lines.ts'
import { readOutcomes } from './tool-outcome.ts'
import { subjectOf } from './tool-view.ts'

interface CallDisplay {
  /** True for an event that began or ended a call. */
  event(event: Event): boolean
  /** What is running; empty when nothing is. */
  running(): string
  files(): ChangedFile[]
  /** Calls that were not allowed. */
  denied(): number
}

export function openCallDisplay(pen: () => Pen, print: (lines: readonly string[]) => void): CallDisplay {
  const outcomes = readOutcomes()
  const changes = collectChanges()
  const running = new Map<string, string>()
  let denied = 0
  const progress = ({ call, tool, progress: done, total, message }: EventPayload<'tool.progress'>) => {
    const far = total === undefined ? String(done) : `${done}/${total}`
    if (running.has(call))
      running.set(call, `${sanitizeText(tool)} ${far} ${sanitizeText(message ?? '')}`.trimEnd())
  }
  return {
    event(event) {
      const begun = outcomes.begin(event)
      if (begun)
        running.set(begun.call, `${sanitizeText(begun.tool)} ${sanitizeText(subjectOf(begun))}`.trimEnd())
      if (event.type === 'tool.progress') progress(event.payload)
      if (event.type !== 'tool.result') return begun !== undefined
      const outcome = outcomes.end(event.payload)
      running.delete(outcome.call)
      if (outcome.code === 'denied') denied++
      changes.add(outcome)
      print(drawOutcome(outcome, pen()))
      return true
    },
    running: () => [...running.values()].join(', '),
    files: () => changes.files(),
    denied: () => denied,
  }
}

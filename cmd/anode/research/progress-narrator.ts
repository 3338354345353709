// The progress of a measurement on standard error: warnings and notes about waiting. On a terminal without
// --json a line that updates is added, and elsewhere, if requested, a line per step.

import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { ProgressListener, ResearchProgress } from '../../../internal/research/progress.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'

interface ProgressNarrator {
  tell: ProgressListener
  /** Prints a line that the updating line never overwrites. */
  print(text: string): void
  /** Removes the line that updates. */
  done(): void
}

/**
 * Opens the progress output. With `steps`, an output without a line that updates gets a separate line for
 * each new step, except with --json.
 */
export function openNarrator(args: CommandArgs, io: CommandIo, { steps = false } = {}): ProgressNarrator {
  const isLive = io.stderr.isTTY && !flagArg(args, 'json')
  let isDrawn = false
  let phase = ''
  const erase = () => {
    if (isDrawn) io.stderr.draw('\r\u001b[2K')
    isDrawn = false
  }
  const print = (text: string) => {
    erase()
    io.stderr.write(`${sanitizeText(text)}\n`)
  }
  return {
    print,
    done: erase,
    tell(event) {
      if (event.kind === 'warning') print(`warning: ${event.text}`)
      else if (event.kind === 'waiting') print(`waiting for pid ${event.pid}, which measures on this machine`)
      if (steps && !isLive && !flagArg(args, 'json') && event.kind === 'phase' && event.phase !== phase) {
        phase = event.phase
        print(`${event.phase} …`)
      }
      const text = isLive ? describeEvent(event) : undefined
      if (text === undefined) return
      io.stderr.draw(`\r\u001b[2K${sanitizeText(text).slice(0, (io.stderr.columns ?? 80) - 1)}`)
      isDrawn = true
    },
  }
}

/**
 * Returns the text of the updating line for an event, such as the current step; undefined for kinds of events
 * without such a text.
 */
function describeEvent(event: ResearchProgress): string | undefined {
  switch (event.kind) {
    case 'phase':
      return `${event.run === undefined ? '' : `run ${event.run}: `}${event.phase} …`
    case 'pair':
      return `${event.phase}: pair ${event.n} of ${event.of}`
    case 'look':
      return event.next === 0
        ? `no more pairs needed after ${countNoun(event.pairs, 'pair')}`
        : `undecided after ${countNoun(event.pairs, 'pair')}, next look at ${event.next}`
    case 'checks':
      return `checks ${event.result}`
    default:
      return undefined
  }
}

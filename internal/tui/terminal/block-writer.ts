// Blocks of lines on the streams of one terminal: an empty line between those of different kinds, none lost
// while it is in use.

import type { LiveRow } from './live-row.ts'

/** The part of a write stream that is used. */
export interface TerminalOutput {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
  /** Writes cursor movement without a filter; missing where `write` filters nothing. */
  draw?(text: string): unknown
}

/** Calls follow one another without a gap; words, calls and the lines around a run stand apart. */
type BlockKind = 'words' | 'call' | 'frame'

interface BlockWriter {
  print(to: TerminalOutput, kind: BlockKind, lines: readonly string[]): void
  /** Holds everything back until what it returns is called. */
  pause(): () => void
  isPaused(): boolean
}

export function openBlockWriter(live: () => Pick<LiveRow, 'erase'> | undefined): BlockWriter {
  let last: BlockKind | undefined
  let waiting: (() => void)[] | undefined
  const print: BlockWriter['print'] = (to, kind, lines) => {
    if (lines.length === 0) return
    if (waiting) {
      waiting.push(() => print(to, kind, lines))
      return
    }
    live()?.erase()
    const gap = last !== undefined && last !== kind ? '\n' : ''
    last = kind
    to.write(`${gap}${lines.join('\n')}\n`)
  }
  return {
    print,
    pause() {
      live()?.erase()
      waiting ??= []
      return () => {
        const held = waiting ?? []
        waiting = undefined
        for (const go of held) go()
      }
    },
    isPaused: () => waiting !== undefined,
  }
}

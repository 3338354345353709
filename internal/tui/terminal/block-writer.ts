// The writer of blocks of lines to the streams of one terminal. An empty line separates blocks
// of different kinds.

import type { LiveRow } from './live-row.ts'

/** The part of a write stream that the writer uses. */
export interface TerminalOutput {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
  /** Writes cursor movements, which `write` would filter out; missing if `write` does not filter. */
  draw?(text: string): unknown
}

/** The kind of a block. Blocks of different kinds are separated by an empty line. */
type BlockKind = 'words' | 'call' | 'frame'

interface BlockWriter {
  print(to: TerminalOutput, kind: BlockKind, lines: readonly string[]): void
  /** Delays all blocks until the returned function is called. */
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
        const callbacks = waiting ?? []
        waiting = undefined
        for (const go of callbacks) go()
      }
    },
    isPaused: () => waiting !== undefined,
  }
}

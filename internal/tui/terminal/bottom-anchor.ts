// The place of moving rows at the end of a tmux pane. When tmux becomes narrower, it moves rows into its
// history although rows below them are empty. Rows in the history cannot be erased.
import type { CursorPlace } from './cursor-report.ts'
import type { TerminalIo } from './terminal-io.ts'

/** Longest wait for the position, in ms. */
const answerMs = 1_000

/** Most positions that are requested without an answer. */
const maxUnanswered = 3

/** Fewest empty rows below the live rows that are moved above all rows. */
const minFreeRows = 4

interface BottomAnchor {
  /** Asks for the position of a moving frame of `height` rows, once for each size. */
  drawn(height: number): void
  /** Uses the position of the cursor in the first row of the frame. Returns false if it did not ask. */
  placed(found: CursorPlace): boolean
  /** Whether frames must wait for the position. */
  isPending(): boolean
  /** Forgets the position, because the rows may have moved. */
  reset(): void
  /** Asks no more. */
  close(): void
}

type Environment = Readonly<Record<string, string | undefined>>

export const isTmux = ({ TMUX, TERM }: Environment): boolean =>
  Boolean(TMUX) || TERM?.startsWith('tmux') === true

/**
 * Opens the anchor, which does nothing outside of tmux. `ask` requests the position, and `settled` is called
 * when frames may follow.
 */
export function openBottomAnchor(
  io: Pick<TerminalIo, 'rows' | 'write'>,
  env: Environment,
  { ask, settled }: { ask(): void; settled(): void },
): BottomAnchor {
  let isClosed = !isTmux(env)
  let isKnown = false
  let unanswered = 0
  /** Number of answers that come for an earlier position. */
  let outdated = 0
  let height: number | undefined
  let timer: NodeJS.Timeout | undefined
  const giveUp = () => {
    clearTimeout(timer)
    if (height !== undefined) outdated++
    height = undefined
  }
  return {
    drawn(rows) {
      if (isClosed || isKnown || rows === 0) return
      isKnown = true
      height = rows
      ask()
      timer = setTimeout(() => {
        giveUp()
        unanswered++
        isKnown = unanswered >= maxUnanswered
        settled()
      }, answerMs)
    },
    placed({ row }) {
      if (outdated > 0) {
        outdated--
        return true
      }
      if (height === undefined) return false
      clearTimeout(timer)
      unanswered = 0
      const free = io.rows() - row - height
      height = undefined
      if (free >= minFreeRows) io.write(`\x1b[1;1H\x1b[${free}L\x1b[${row + free + 1};1H`)
      settled()
      return true
    },
    isPending: () => height !== undefined,
    reset() {
      giveUp()
      isKnown = false
    },
    close() {
      giveUp()
      isClosed = true
    },
  }
}

// The position of redrawn rows at the end of a tmux pane. When tmux becomes narrower, it moves rows into its
// history although rows below them are empty. Rows in the history cannot be erased, so the redrawn rows need
// a known position.
import type { EnvironmentVariables } from '../../base/environment.ts'
import type { CursorPlace } from './cursor-report.ts'
import type { LiveRows } from './screen-writer.ts'
import type { TerminalIo } from './terminal-io.ts'

/** Longest wait in milliseconds for the terminal's report of a position. */
const answerMs = 1_000

/**
 * Number of unanswered requests in a row after which the position is requested only once for
 * each further size.
 */
const maxUnanswered = 3

/** Smallest number of empty rows below the live rows at which these empty rows are moved above all rows. */
export const minFreeRows = 4

interface BottomAnchor {
  /**
   * Asks the terminal for the position of a frame that has rows, once for each size. Asks again with the next
   * frame if no answer arrives.
   */
  drawn(frame: LiveRows): void
  /**
   * Handles a reported position of the cursor, which is in its row of the frame. If `minFreeRows` or
   * more rows below the frame are empty, they are moved above all rows. Returns false if no position
   * was requested here.
   */
  placed(found: CursorPlace): boolean
  /** Returns true if frames must wait for the reported position. */
  isPending(): boolean
  /** Forgets the reported position, because the rows may have moved. */
  reset(): void
  /** Stops requesting positions. */
  close(): void
}

export const isTmux = ({ TMUX, TERM }: EnvironmentVariables): boolean =>
  Boolean(TMUX) || TERM?.startsWith('tmux') === true

/**
 * Opens the anchor, which has no effect outside tmux. `ask` requests the position, and `settled` is called
 * when frames may follow.
 */
export function openBottomAnchor(
  io: Pick<TerminalIo, 'rows' | 'write'>,
  env: EnvironmentVariables,
  { ask, settled }: { ask(): void; settled(): void },
): BottomAnchor {
  let isClosed = !isTmux(env)
  let isKnown = false
  let unanswered = 0
  /** Number of expected reports that are about an earlier position and must be ignored. */
  let outdated = 0
  let pendingFrame: LiveRows | undefined
  let timer: NodeJS.Timeout | undefined
  const giveUp = () => {
    clearTimeout(timer)
    if (pendingFrame) outdated++
    pendingFrame = undefined
  }
  return {
    drawn(frame) {
      if (isClosed || isKnown || frame.rows.length === 0) return
      isKnown = true
      pendingFrame = frame
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
      if (!pendingFrame) return false
      clearTimeout(timer)
      unanswered = 0
      const free = io.rows() - row - (pendingFrame.rows.length - pendingFrame.row)
      const { column } = pendingFrame
      pendingFrame = undefined
      if (free >= minFreeRows) io.write(`\x1b[1;1H\x1b[${free}L\x1b[${row + free + 1};${column + 1}H`)
      settled()
      return true
    },
    isPending: () => pendingFrame !== undefined,
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

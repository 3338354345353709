// The position of the cursor. The terminal reports it among the keys after a request.
import type { TerminalInput } from './key-decoder.ts'
import { type FrameTime, findColumn, type ReflowKind, type TerminalSize } from './live-reflow.ts'
import type { LiveRows } from './screen-writer.ts'

/** A position of the cursor, counted from 0. */
export interface CursorPlace {
  row: number
  column: number
}

const askPlace = '\x1b[6n'
/**
 * Matches the report of a position. The key Shift-F3 sends the same bytes, so the match counts only
 * after a request.
 */
const answer = /^\x1b\[(\d+);(\d+)R$/

export interface CursorReport {
  ask(): void
  /** Requests the position that the terminal has saved, and moves the cursor back to `now`. */
  askKept(now: CursorPlace): void
  /** Returns the reported position; undefined if the input is not the answer to a request. */
  read(input: TerminalInput): CursorPlace | undefined
  /** Resolves when no request is pending, or after `ms` milliseconds. */
  settle(ms: number): Promise<void>
}

export function openCursorReport(write: (bytes: string) => void): CursorReport {
  let pendingCount = 0
  let settled: () => void = () => undefined
  const send = (bytes: string) => {
    pendingCount++
    write(bytes)
  }
  return {
    ask: () => send(askPlace),
    askKept: ({ row, column }) => send(`\x1b8${askPlace}\x1b[${row + 1};${column + 1}H`),
    read(input) {
      const match = pendingCount > 0 && input.kind === 'key' ? answer.exec(input.sequence) : null
      if (!match) return undefined
      pendingCount--
      if (pendingCount === 0) settled()
      return { row: Number(match[1]) - 1, column: Number(match[2]) - 1 }
    },
    async settle(ms) {
      if (pendingCount === 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        settled = resolve
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
    },
  }
}

interface FrameTiming {
  /** Records a new size of the terminal, and requests the cursor position once. */
  resized(): void
  /**
   * Handles a reported position. If the column is that of `live`, the last frame arrived before the new
   * size. Otherwise requests the saved position; if its column is that of `before`, the frame arrived after
   * the new size.
   */
  placed(found: CursorPlace, live: LiveRows, before: LiveRows | undefined): void
  /**
   * Returns the time at which the last frame arrived, and all sizes since, the current size last.
   * Resets the state.
   */
  take(): { time: FrameTime; sizes: readonly TerminalSize[] }
}

/** Opens the check whether a terminal received the last frame before or after it changed its size. */
export function openFrameTiming(
  sizeNow: () => TerminalSize,
  kind: ReflowKind,
  cursor: Pick<CursorReport, 'ask' | 'askKept'>,
): FrameTiming {
  let request: 'nothing' | 'cursor' | 'kept' = 'nothing'
  let time: FrameTime = 'unknown'
  let sizes: TerminalSize[] = []
  const isIn = (place: CursorPlace, { column }: LiveRows) =>
    column > 0 && place.column === findColumn(column, sizeNow().columns, kind)
  /**
   * Returns true if all recorded sizes equal the current one, so that the reported cursor position belongs to
   * a single size.
   */
  const isStill = () => {
    const now = sizeNow()
    return sizes.every(({ columns, rows }) => columns === now.columns && rows === now.rows)
  }
  return {
    resized() {
      sizes.push(sizeNow())
      if (request !== 'nothing') return
      request = 'cursor'
      cursor.ask()
    },
    placed(place, live, before) {
      if (request === 'kept') {
        time = before && isIn(place, before) ? 'after' : 'unknown'
      } else if (request === 'cursor' && isIn(place, live)) {
        time = 'before'
      } else if (request === 'cursor' && isStill() && before && before.rows.length > 0) {
        request = 'kept'
        cursor.askKept(place)
      }
    },
    take() {
      // A terminal that has not answered yet may have received the last frame late.
      const frameTime = request === 'nothing' ? 'before' : time
      // The cursor was moved back to a position that may be wrong after another change of size.
      const isLost = request === 'kept' && !isStill()
      const timing = { time: isLost ? ('lost' as const) : frameTime, sizes: [...sizes, sizeNow()] }
      request = 'nothing'
      time = 'unknown'
      sizes = []
      return timing
    },
  }
}

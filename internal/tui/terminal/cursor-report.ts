// Where a terminal says that its cursor stands: asked once its size has changed, told among the keys.
import type { TerminalInput } from './key-decoder.ts'
import { type FrameTime, findColumn, type ReflowKind, type TerminalSize } from './live-reflow.ts'
import type { LiveRows } from './screen-writer.ts'

/** Counted from 0. */
export interface CursorPlace {
  row: number
  column: number
}

const askPlace = '\x1b[6n'
/** Shift with F3 looks the same: only who has asked may take it for an answer. */
const answer = /^\x1b\[(\d+);(\d+)R$/

export interface CursorReport {
  ask(): void
  /** Asks for the place that the terminal has kept, and goes back to `now`. */
  askKept(now: CursorPlace): void
  /** Undefined: this input is no answer to what was asked. */
  read(input: TerminalInput): CursorPlace | undefined
  /** Resolves once nothing is asked any more, or after so many milliseconds. */
  settle(ms: number): Promise<void>
}

export function openCursorReport(write: (bytes: string) => void): CursorReport {
  let asked = 0
  let settled: () => void = () => undefined
  const send = (bytes: string) => {
    asked++
    write(bytes)
  }
  return {
    ask: () => send(askPlace),
    askKept: ({ row, column }) => send(`\x1b8${askPlace}\x1b[${row + 1};${column + 1}H`),
    read(input) {
      const found = asked > 0 && input.kind === 'key' ? answer.exec(input.sequence) : null
      if (!found) return undefined
      asked--
      if (asked === 0) settled()
      return { row: Number(found[1]) - 1, column: Number(found[2]) - 1 }
    },
    async settle(ms) {
      if (asked === 0) return
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
  /** The terminal has another size: it is asked, once, where its cursor stands. */
  resized(): void
  /** It has told: at the column of `live` where the last frame came in time; `before`: the one before it. */
  placed(found: CursorPlace, live: LiveRows, before: LiveRows | undefined): void
  /** When the last frame came, and every size since, the present one last; it begins anew. */
  take(): { time: FrameTime; sizes: readonly TerminalSize[] }
}

/** Finds out whether a terminal of another size had the last frame before it took that. */
export function openFrameTiming(
  sizeNow: () => TerminalSize,
  kind: ReflowKind,
  cursor: Pick<CursorReport, 'ask' | 'askKept'>,
): FrameTiming {
  let asked: 'nothing' | 'cursor' | 'kept' = 'nothing'
  let time: FrameTime = 'unknown'
  let sizes: TerminalSize[] = []
  const isIn = (found: CursorPlace, { column }: LiveRows) =>
    column > 0 && found.column === findColumn(column, sizeNow().columns, kind)
  /** The place of the cursor is that of one size. */
  const isStill = () => {
    const now = sizeNow()
    return sizes.every(({ columns, rows }) => columns === now.columns && rows === now.rows)
  }
  return {
    resized() {
      sizes.push(sizeNow())
      if (asked !== 'nothing') return
      asked = 'cursor'
      cursor.ask()
    },
    placed(found, live, before) {
      if (asked === 'kept') {
        time = before && isIn(found, before) ? 'after' : 'unknown'
      } else if (asked === 'cursor' && isIn(found, live)) {
        time = 'before'
      } else if (asked === 'cursor' && isStill() && before && before.rows.length > 0) {
        asked = 'kept'
        cursor.askKept(found)
      }
    },
    take() {
      // a terminal that has not answered in time may have had the last frame late
      const known = asked === 'nothing' ? 'before' : time
      // it was sent back to its place, which may have been another one by then
      const isLost = asked === 'kept' && !isStill()
      const taken = { time: isLost ? ('lost' as const) : known, sizes: [...sizes, sizeNow()] }
      asked = 'nothing'
      time = 'unknown'
      sizes = []
      return taken
    },
  }
}

// A status of several lines on a terminal. It is drawn again in place while a job runs.
import { stripVTControlCharacters } from 'node:util'
import type { RenderLook } from '../../../internal/render/pen.ts'
import { terminalOptions } from '../../../internal/render/terminal.ts'
import { countCells } from '../../../internal/render/text/cell-width.ts'
import { findReflowKind } from '../../../internal/tui/terminal/live-reflow.ts'
import { eraseBelow } from '../../../internal/tui/terminal/screen-writer.ts'
import type { CommandIo } from '../verb.ts'
import type { CommandOutput } from './command-output.ts'

/**
 * Returns the lines of the status for a terminal with this look, where the status may use this number of
 * rows; undefined while nothing is known.
 */
type ComposeStatus = (look: RenderLook, rows: number) => readonly string[] | undefined

interface LiveStatus {
  /**
   * Draws the status now, unless it is paused or `compose` returns undefined. Writes nothing if neither the
   * lines nor the width have changed.
   */
  draw(): void
  /**
   * Shows other lines in place of the status until the status is drawn again. The lines must not
   * contain control characters.
   */
  show(lines: readonly string[]): void
  /** Removes the status from the terminal and draws no more until `resume`. */
  pause(): void
  resume(): void
  /** Removes the status from the terminal. Nothing is drawn afterwards. */
  end(): void
}

/** Time in milliseconds between two updates of the status, so that the elapsed time advances. */
export const statusPaceMs = 200

/**
 * Opens a status that is drawn every 200 milliseconds, but not before the first 200 have passed. The caller
 * can draw it earlier with `draw`.
 */
export function openLiveStatus(
  { env }: Pick<CommandIo, 'env'>,
  out: CommandOutput,
  compose: ComposeStatus,
): LiveStatus {
  let drawnLines: readonly string[] = []
  let isPaused = false
  let width = 0
  // The code moves the cursor up to the first line of the last frame and clears everything below.
  const eraseCode = () => {
    const columns = out.columns ?? 80
    const isBroken = columns < width && findReflowKind(env) !== 'cut'
    const height = drawnLines.reduce((sum, line) => sum + (isBroken ? countRows(line, columns) : 1), 0)
    return height > 0 ? `\x1b[${height}A${eraseBelow}` : ''
  }
  const show = (lines: readonly string[]) => {
    const columns = out.columns ?? 80
    if (
      columns === width &&
      lines.length === drawnLines.length &&
      lines.every((line, i) => line === drawnLines[i])
    )
      return
    // Each frame is written at once, so that the terminal never shows a part of it.
    const frame = `${eraseCode()}${lines.map((line) => `${line}\n`).join('')}`
    if (frame !== '') out.draw(frame)
    drawnLines = lines
    width = columns
  }
  const draw = () => {
    if (isPaused) return
    const look = { ...terminalOptions({ env, stream: out }), all: true }
    // The last cell of each row stays empty, because some terminals wrap when it is written.
    const lines = compose({ ...look, width: look.width - 1 }, (out.stream.rows || 24) - 1)
    if (lines) show(lines)
  }
  const timer = setInterval(draw, statusPaceMs)
  timer.unref()
  const pause = () => {
    show([])
    isPaused = true
  }
  return {
    draw,
    show,
    pause,
    resume() {
      isPaused = false
      draw()
    },
    end() {
      clearInterval(timer)
      pause()
    },
  }
}

/** Returns the number of rows that a drawn line takes after the terminal has become narrower. */
const countRows = (line: string, columns: number) =>
  Math.max(1, Math.ceil(countCells(stripVTControlCharacters(line)) / columns))

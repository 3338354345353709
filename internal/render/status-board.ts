// A running job of several tasks on one screen: its title, a row for each task, and its totals.
import { countNoun } from '../base/text/count-noun.ts'
import { makePen, type Pen, type RenderLook } from './pen.ts'
import { sanitizeText } from './text/terminal-filter.ts'

/** Phase of a task; `short` means that it ended with less than was requested. */
export type StatusPhase = 'waiting' | 'running' | 'done' | 'short' | 'failed'

/** A study or a build as its screen shows it. */
interface StatusBoard {
  title: string
  /** Line above the tasks with facts about the whole job. */
  head: string
  rows: readonly { phase: StatusPhase; text: string }[]
  /** Lines below the rows of the tasks. */
  foot: readonly string[]
}

/**
 * Phases in the order in which their tasks stay on a screen that is too small. Running tasks change, so
 * they come first.
 */
const ranks: readonly StatusPhase[] = ['running', 'waiting', 'failed', 'short', 'done']

/**
 * Returns the lines of the board, none wider than the terminal. Returns at most `rows` lines, but always
 * title, head and foot. A line after the tasks shows the number of those that do not fit, if there is room
 * for that line.
 */
export function drawStatusBoard(
  { title, head, rows: tasks, foot }: StatusBoard,
  look: RenderLook,
  rows: number,
): string[] {
  const pen = makePen(look)
  const line = (text: string) => pen.clip(sanitizeText(text), look.width)
  const room = Math.max(0, rows - foot.length - 3)
  const visibleTasks = tasks.length <= room ? tasks : pickRows(tasks, room - 1)
  const hidden = tasks.length - visibleTasks.length
  return [
    pen.paint({ bold: true })(line(title)),
    pen.paint({ dim: true })(line(head)),
    ...visibleTasks.map((row) => drawRow(row, pen)),
    ...(hidden > 0 && room > 0 ? [line(`  ${pen.glyphs.ellipsis} ${countNoun(hidden, 'more task')}`)] : []),
    ...foot.map(line),
  ]
}

function pickRows(tasks: StatusBoard['rows'], room: number): StatusBoard['rows'] {
  const ranked = tasks.toSorted((a, b) => ranks.indexOf(a.phase) - ranks.indexOf(b.phase))
  const topTasks = new Set(ranked.slice(0, Math.max(0, room)))
  return tasks.filter((task) => topTasks.has(task))
}

function drawRow({ phase, text }: StatusBoard['rows'][number], pen: Pen): string {
  const { glyphs, paint, look } = pen
  const marks: Record<StatusPhase, [glyph: string, color?: string]> = {
    waiting: [' '],
    running: [glyphs.bullet, 'blue'],
    done: [glyphs.status.success, 'green'],
    short: [glyphs.status.warning, 'yellow'],
    failed: [glyphs.status.error, 'red'],
  }
  const [glyph, color] = marks[phase]
  return `${paint({ color })(glyph)} ${pen.clip(sanitizeText(text), look.width - pen.cells(glyph) - 1)}`
}

/** Returns a duration rounded to seconds: `7 s`, or minutes and seconds such as `3:07`. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

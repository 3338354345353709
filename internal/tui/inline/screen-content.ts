// The content of a frame of the screen: a page, the full screen, or printed lines with the live rows below.

import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { createFullContent } from '../full/full-content.ts'
import type { openScrollback } from '../run-view/scrollback.ts'
import { drawLeastSize, isTooSmall } from '../terminal/least-size.ts'
import type { ScreenContent } from '../terminal/live-painter.ts'
import type { ScreenFrame } from '../terminal/screen-writer.ts'
import { penOfLook } from '../view/look-pen.ts'
import { withChildWork } from './child-views.ts'
import { markShown, resizeDialog } from './dialogs.ts'
import { transcriptOf } from './earlier-blocks.ts'
import { drawInlineRows, isStreaming } from './inline-rows.ts'
import { fitLook, type InlineState } from './inline-state.ts'
import { countEarlier } from './open-inline-state.ts'
import { isMoving } from './redraw-timer.ts'
import { drawTranscript, fitTranscript } from './transcript-page.ts'

type ScrollbackState = ReturnType<typeof openScrollback>

/** Largest number of lines that the full screen leaves in the terminal's scrollback when it closes. */
const maxLeft = 40

/** Returns a function that draws a frame for the current terminal size. */
export function createScreenContent(
  state: InlineState,
  scrollback: ScrollbackState,
  isLeaving: () => boolean,
): (size: InlineState['display']['size']) => ScreenContent {
  const drawInline = createInlineContent(state, scrollback, isLeaving)
  const drawFull = createFullContent(state)
  return (size) => {
    const now = Date.now()
    if (fitLook(state, size)) resizeDialog(state)
    const hasPage = state.overlays.page !== undefined || state.overlays.pages.length > 0
    if (isTooSmall(size) && (hasPage || (state.display.form === 'full' && !isLeaving())))
      return { isPage: true, finished: [], rows: [drawLeastSize(size)] }
    if (state.overlays.page) {
      const isGrowing = state.conversation.pageThread !== undefined
      state.overlays.page = fitTranscript(
        state.overlays.page,
        transcriptOf(state),
        state.display.wide,
        size.rows,
        isGrowing,
      )
      return {
        isPage: true,
        finished: [],
        rows: withHint(drawTranscript(state.overlays.page, state.display.wide, size.rows), state, now),
      }
    }
    const page = state.overlays.pages.at(-1)
    if (page)
      return {
        isPage: true,
        finished: [],
        rows: withHint(page.draw(state.display.wide, size.rows, now), state, now),
      }
    const {
      overlays: { dialog },
    } = state
    const dialogState = dialog?.state
    if (state.display.form === 'full' && isLeaving()) return leaveFull(state, scrollback, now)
    const drawn = state.display.form === 'inline' ? drawInline(now) : drawFull(now)
    return dialogState && !isTooSmall(size) ? { ...drawn, taken: () => markShown(state, dialogState) } : drawn
  }
}

/** Replaces the last row of a page, which shows keys, with the current hint. */
function withHint(
  rows: string[],
  { hints: { hint }, display: { wide } }: InlineState,
  now: number,
): string[] {
  if (!hint || hint.until <= now) return rows
  const pen = penOfLook(wide)
  const text = pen.clip(` ${sanitizeText(hint.text)}`, wide.width)
  return [...rows.slice(0, -1), pen.paint({ color: 'yellow', inverse: true })(text)]
}

/**
 * Creates the content of the inline screen. At most one empty line separates lines from different sources.
 */
function createInlineContent(state: InlineState, scrollback: ScrollbackState, isLeaving: () => boolean) {
  let lastLine = ''
  const stack = (lines: readonly string[]) => {
    const fresh = lines[0] === '' && lastLine === '' ? lines.slice(1) : lines
    lastLine = fresh.at(-1) ?? lastLine
    return fresh
  }
  return (now: number): ScreenContent => {
    const notes = state.hints.notes.splice(0).flatMap((lines) => ['', ...lines, ''])
    if (!state.conversation.isCurrent) return { finished: stack(notes), ...drawInlineRows(state, [], now) }
    const drawn = scrollback.advance(
      withChildWork(state.conversation.view, state.conversation),
      now,
      state.display.look,
      state.display.size.rows,
    )
    const finished = [...stack(notes), ...stack(drawn.finished)]
    const open = drawn.live[0] === '' && lastLine === '' ? drawn.live.slice(1) : drawn.live
    if (isLeaving()) return { finished: [...finished, ...open], rows: [] }
    const frame = drawInlineRows(state, open, now)
    const placed = lastLine === '' ? withoutGap(frame) : frame
    const isFitted = isStreaming(state.conversation.view, state.overlays.dialog)
    return { finished, ...placed, isMoving: isMoving(state), isFitted }
  }
}

/** Removes the first row of a frame if it is empty, because the line above is empty too. */
function withoutGap({ rows, caret }: ScreenFrame): ScreenFrame {
  if (rows[0] !== '') return { rows, caret }
  return { rows: rows.slice(1), caret: caret && { ...caret, row: caret.row - 1 } }
}

/**
 * Returns the lines of the last exchange, at most `maxLeft`, which stay in the terminal after the
 * full screen closes.
 */
function leaveFull(
  { conversation: { view }, display: { wide, size } }: InlineState,
  scrollback: ScrollbackState,
  now: number,
): ScreenContent {
  scrollback.skip(view, countEarlier(view, 1))
  const { finished, live } = scrollback.advance(view, now, wide, size.rows)
  return { finished: [...finished, ...live].slice(-maxLeft), rows: [] }
}

// The inline screen. It prints finished lines once and redraws the last rows in place. Pages cover
// the whole terminal.
import { isTmux, openBottomAnchor } from './bottom-anchor.ts'
import { openFrameCover } from './covered-frame.ts'
import { type CursorReport, openCursorReport } from './cursor-report.ts'
import type { TerminalInput } from './key-decoder.ts'
import { openLivePainter, type ScreenContent } from './live-painter.ts'
import { findReflowKind, type ReflowKind } from './live-reflow.ts'
import { openTerminalIo, type TerminalIo, type TerminalStreams } from './terminal-io.ts'

interface ScreenDrawer {
  /**
   * The way in which the terminal breaks rows that are too wide. Default: as known for this kind of terminal.
   */
  reflow?: ReflowKind | undefined
  /** Returns the content of the next frame. Each finished line is returned only once. */
  content(size: { columns: number; rows: number }): ScreenContent
  input(event: TerminalInput): void
  gone(): void
}

export interface LiveScreen {
  /**
   * Requests a frame. With `soon`, as after a key, it is drawn immediately if the terminal is ready;
   * otherwise not before the shortest time between frames.
   */
  changed(soon?: boolean): void
  /** Writes bytes that draw nothing, such as those for a bell, a title or the clipboard. */
  signal(bytes: string): void
  /** Draws the complete screen again. */
  redraw(): void
  suspend(): void
  /** Lends the terminal to another program until the promise of `use` resolves. */
  lend(use: () => Promise<void>): Promise<void>
  /** Draws a last frame, restores the terminal, and leaves the cursor below the frame. */
  close(): Promise<void>
  /**
   * Ends the screen without drawing, for example because the terminal is gone, and resets
   * the terminal's modes.
   */
  abandon(): void
}

const frameMs = { local: 33, remote: 100 }
/**
 * Returns the time in milliseconds for which a new size must be stable. tmux reports sizes late, and a remote
 * terminal answers late.
 */
const resizeMs = (env: TerminalStreams['env']) => (isTmux(env) || env.SSH_CONNECTION !== undefined ? 300 : 80)

/**
 * Time in milliseconds after a key for which the terminal's own cursor stays in the input, as input methods
 * expect. Frames that follow by themselves wait until then: a terminal that gets narrower before such a frame
 * arrives would show it at a wrong position, except if the cursor is at its start.
 */
const typingMs = 400

function openTyping(kind: ReflowKind) {
  let typedAt = 0
  let isMoving = false
  const leftMs = () => typedAt + typingMs - Date.now()
  return {
    typed() {
      typedAt = Date.now()
    },
    /** Records whether further frames follow the drawn frame by themselves. */
    drawn(moves: boolean) {
      isMoving = moves
    },
    /**
     * Returns the milliseconds until the cursor may leave the input field; 0 or less if it may leave it now.
     */
    leftMs,
    /**
     * Returns the milliseconds for which the next frame of an animation waits; 0 or less if it need not wait,
     * which is also so without an animation and if the terminal does not break rows as `text`.
     */
    waitMs: () => (isMoving && kind === 'text' ? leftMs() : 0),
  }
}

/** Waits until the size of the terminal is stable, and then calls `redraw`. */
function openResizing(env: TerminalStreams['env'], readSize: () => void, redraw: () => void) {
  let timer: NodeJS.Timeout | undefined
  const close = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const fitNow = () => {
    close()
    redraw()
  }
  return {
    isWaiting: () => timer !== undefined,
    resized() {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        // Rows counted for an older size could erase printed lines. So if the size has changed again, this
        // calls `resized`, which waits again.
        readSize()
        if (timer === undefined) fitNow()
      }, resizeMs(env))
    },
    /** Calls `redraw` without a wait. */
    fitNow,
    close,
  }
}

/** Longest wait in milliseconds for an answer of the terminal when the screen ends. */
const answerMs = 200

export function openLiveScreen(streams: TerminalStreams, drawer: ScreenDrawer): LiveScreen {
  const { env } = streams
  const kind = drawer.reflow ?? findReflowKind(env)
  const typing = openTyping(kind)
  const io = openTerminalIo(streams, () => painter.part(), {
    input(event) {
      const cursorPlace = place.read(event)
      if (!cursorPlace) typing.typed()
      if (!cursorPlace) return drawer.input(event)
      io.readSize()
      if (!anchor.placed(cursorPlace)) painter.placed(cursorPlace)
    },
    gone: () => drawer.gone(),
    drained: () => frames.drained(),
    resumed: () => drawAnew(),
    resized() {
      anchor.reset()
      painter.resized()
      resizing.resized()
    },
  })
  const place = openCursorReport((bytes) => io.write(bytes))
  const painter = openLivePainter(io, kind, place)
  const frames = openFrames(io, env.SSH_CONNECTION === undefined ? frameMs.local : frameMs.remote, {
    isHeld: () => resizing.isWaiting() || anchor.isPending(),
    typingMs: typing.waitMs,
    paint: () => typing.drawn(paintFrame(io, { painter, anchor, cover, drawer }, typing.leftMs() > 0)),
  })
  const cover = openFrameCover(isTmux(env))
  const anchor = openBottomAnchor(io, env, { ask: place.ask, settled: () => frames.changed(true) })
  const resizing = openResizing(env, io.readSize, () => {
    painter.erase()
    frames.changed(true)
  })
  const drawAnew = () => {
    painter.forget()
    anchor.reset()
    frames.changed(true)
  }
  return {
    changed: frames.changed,
    signal: (bytes) => io.write(bytes),
    redraw: resizing.fitNow,
    suspend: () => io.suspend(),
    lend: (use) => lendTerminal(io, use, frames.hold(drawAnew)),
    async close() {
      anchor.close()
      await drawLast(io, place, () => (resizing.isWaiting() ? resizing.fitNow() : frames.changed(true)))
      this.abandon()
    },
    abandon() {
      for (const part of [anchor, frames, io, resizing]) part.close()
    },
  }
}

interface FrameParts {
  painter: Pick<ReturnType<typeof openLivePainter>, 'paint' | 'shownRows'>
  anchor: Pick<ReturnType<typeof openBottomAnchor>, 'drawn'>
  cover: ReturnType<typeof openFrameCover>
  drawer: Pick<ScreenDrawer, 'content'>
}

/** Draws a frame. Returns true if further frames follow by themselves. */
function paintFrame(
  io: Pick<TerminalIo, 'columns' | 'rows' | 'whenTaken'>,
  { painter, anchor, cover, drawer }: FrameParts,
  isTyping: boolean,
): boolean {
  const size = { columns: io.columns(), rows: io.rows() }
  const content = cover.fit(drawer.content(size), size)
  // A frame with printed lines counts as a moving one, even while the user types. A moving frame puts the
  // cursor at the start of the live rows, so no printed line is repeated if the width changes at once.
  const isInInput = isTyping && content.finished.length === 0
  painter.paint(isInInput ? { ...content, isMoving: false } : content)
  anchor.drawn(painter.shownRows())
  if (content.taken) io.whenTaken(content.taken)
  return content.isMoving === true
}

/** Draws a last frame after the pending frame and the requests to the terminal. */
async function drawLast(
  io: Pick<TerminalIo, 'flush' | 'readSize' | 'isBusy'>,
  place: Pick<CursorReport, 'settle'>,
  draw: () => void,
): Promise<void> {
  await io.flush()
  io.readSize()
  await place.settle(answerMs)
  draw()
  if (!io.isBusy()) await io.flush()
  // The screen waits for answers of the terminal, because a shell would read a later answer as typed text.
  await place.settle(answerMs)
}

/** Draws one frame at a time. The next frame follows only after the terminal has received the last one. */
function openFrames(
  io: Pick<TerminalIo, 'isBusy' | 'readSize'>,
  ms: number,
  { isHeld, typingMs, paint }: { isHeld(): boolean; typingMs(): number; paint(): void },
) {
  let isDue = false
  let isClosed = false
  let isLent = false
  const draw = (isSoon: boolean) => {
    pacer.cancel()
    // The size is read first, because a frame for an outdated size could not be erased correctly.
    if (!isClosed) io.readSize()
    if (isClosed || isLent || isHeld()) return
    const waitMs = isSoon ? 0 : typingMs()
    if (waitMs > 0) return pacer.later(waitMs)
    isDue = io.isBusy()
    if (isDue) return
    const started = Date.now()
    paint()
    pacer.drawn(started)
  }
  const pacer = openPacer(ms, () => draw(false))
  const changed = (soon = false) => {
    if (isClosed) return
    if (soon) draw(true)
    else pacer.later()
  }
  return {
    changed,
    drained() {
      if (isDue) changed()
    },
    /** Draws nothing until the returned function is called. That function then calls `after`. */
    hold(after: () => void): () => void {
      isLent = true
      return () => {
        isLent = false
        after()
      }
    },
    close() {
      isClosed = true
      pacer.cancel()
    },
  }
}

async function lendTerminal(
  io: Pick<TerminalIo, 'lend' | 'flush'>,
  use: () => Promise<void>,
  onEnd: () => void,
): Promise<void> {
  // A frame that is still being written would be drawn over the other program, so it must end first.
  await io.flush()
  const takeBack = io.lend()
  try {
    await use()
  } finally {
    takeBack()
    onEnd()
  }
}

/** Limits how often frames are drawn. A slow terminal gets fewer frames. */
function openPacer(ms: number, draw: () => void) {
  let next = 0
  let timer: NodeJS.Timeout | undefined
  return {
    /**
     * Schedules the next frame in `waitMs` milliseconds or later. A frame that is already scheduled
     * keeps its time.
     */
    later(waitMs = 0) {
      timer ??= setTimeout(draw, Math.max(waitMs, next - Date.now()))
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
    drawn(started: number) {
      next = Date.now() + ms + Math.min(1_000, Date.now() - started)
    },
  }
}

// The inline screen, which prints finished lines once and redraws the last rows in place. Pages cover
// the whole terminal.
import { type CursorReport, openCursorReport } from './cursor-report.ts'
import type { TerminalInput } from './key-decoder.ts'
import { openLivePainter, type ScreenContent } from './live-painter.ts'
import { findReflowKind, type ReflowKind } from './live-reflow.ts'
import { openTerminalIo, type TerminalIo, type TerminalStreams } from './terminal-io.ts'

interface ScreenDrawer {
  /** Default: what the program knows about the terminal. */
  reflow?: ReflowKind | undefined
  /** Returns the content of the next frame. Finished lines are returned once. */
  content(size: { columns: number; rows: number }): ScreenContent
  input(event: TerminalInput): void
  gone(): void
}

export interface LiveScreen {
  /** Requests a frame. `soon` means that a key caused it, so that it is drawn immediately. */
  changed(soon?: boolean): void
  /** Writes bytes that draw nothing, such as a bell, a title or the clipboard. */
  signal(bytes: string): void
  /** Draws everything again. */
  redraw(): void
  suspend(): void
  /** Lends the terminal to another program until `use` resolves. */
  lend(use: () => Promise<void>): Promise<void>
  /** Draws a last frame, restores the terminal, and leaves the cursor below the frame. */
  close(): Promise<void>
  /** Restores the terminal without drawing, because the terminal is gone. */
  abandon(): void
}

const frameMs = { local: 33, remote: 100 }
/**
 * Returns the time in milliseconds for which a new size must be stable. tmux reports sizes late, and a remote
 * terminal answers late.
 */
const resizeMs = ({ TMUX, TERM, SSH_CONNECTION }: TerminalStreams['env']) =>
  TMUX || TERM?.startsWith('tmux') || SSH_CONNECTION !== undefined ? 300 : 80

/** Longest wait for an answer of the terminal when the screen ends. */
const answerMs = 200

export function openLiveScreen(streams: TerminalStreams, drawer: ScreenDrawer): LiveScreen {
  const { env } = streams
  let resize: NodeJS.Timeout | undefined
  let isLent = false
  const io = openTerminalIo(streams, () => painter.part(), {
    input(event) {
      const found = place.read(event)
      if (!found) return drawer.input(event)
      io.readSize()
      painter.placed(found)
    },
    gone: () => drawer.gone(),
    drained: () => frames.drained(),
    resumed: () => drawAnew(),
    resized() {
      painter.resized()
      clearTimeout(resize)
      resize = setTimeout(fitSize, resizeMs(env))
    },
  })
  const place = openCursorReport((bytes) => io.write(bytes))
  const painter = openLivePainter(io, drawer.reflow ?? findReflowKind(env), place)
  const pace = env.SSH_CONNECTION === undefined ? frameMs.local : frameMs.remote
  const frames = openFrames(io, pace, {
    isHeld: () => isLent || resize !== undefined,
    paint: () => paintFrame(io, painter, drawer),
  })
  const fitSize = () => {
    clearTimeout(resize)
    resize = undefined
    painter.erase()
    frames.changed(true)
  }
  const drawAnew = () => {
    painter.forget()
    frames.changed(true)
  }
  return {
    changed: frames.changed,
    signal: (bytes) => io.write(bytes),
    redraw: fitSize,
    suspend: () => io.suspend(),
    lend(use) {
      isLent = true
      return lendTerminal(io, use, () => {
        isLent = false
        drawAnew()
      })
    },
    async close() {
      await drawLast(io, place, () => (resize === undefined ? frames.changed(true) : fitSize()))
      this.abandon()
    },
    abandon() {
      frames.close()
      clearTimeout(resize)
      io.close()
    },
  }
}

function paintFrame(
  io: Pick<TerminalIo, 'columns' | 'rows' | 'whenTaken'>,
  painter: Pick<ReturnType<typeof openLivePainter>, 'paint'>,
  drawer: Pick<ScreenDrawer, 'content'>,
): void {
  const content = drawer.content({ columns: io.columns(), rows: io.rows() })
  painter.paint(content)
  if (content.taken) io.whenTaken(content.taken)
}

/** Draws a last frame after the pending frame and the pending requests. */
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
  // a shell would read a later answer
  await place.settle(answerMs)
}

/** Draws one frame at a time, the next one after the terminal has received it. */
function openFrames(
  io: Pick<TerminalIo, 'isBusy' | 'readSize'>,
  ms: number,
  { isHeld, paint }: { isHeld(): boolean; paint(): void },
) {
  let isDue = false
  let isClosed = false
  const draw = () => {
    pacer.cancel()
    // a frame for an outdated size cannot be erased correctly
    if (!isClosed) io.readSize()
    if (isClosed || isHeld()) return
    isDue = io.isBusy()
    if (isDue) return
    const started = Date.now()
    paint()
    pacer.drawn(started)
  }
  const pacer = openPacer(ms, draw)
  const changed = (soon = false) => {
    if (isClosed) return
    if (soon) draw()
    else pacer.later()
  }
  return {
    changed,
    drained() {
      if (isDue) changed()
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
  ended: () => void,
): Promise<void> {
  // a pending frame would be drawn over the other program
  await io.flush()
  const takeBack = io.lend()
  try {
    await use()
  } finally {
    takeBack()
    ended()
  }
}

/** Paces frames. A slow terminal gets fewer of them. */
function openPacer(ms: number, draw: () => void) {
  let next = 0
  let timer: NodeJS.Timeout | undefined
  return {
    later() {
      timer ??= setTimeout(draw, Math.max(0, next - Date.now()))
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

// The inline screen: what is finished is printed once, the last rows are drawn again in their place; and
// pages, which take the whole terminal for a while.
import { type CursorReport, openCursorReport } from './cursor-report.ts'
import type { TerminalInput } from './key-decoder.ts'
import { openLivePainter, type ScreenContent } from './live-painter.ts'
import { findReflowKind, type ReflowKind } from './live-reflow.ts'
import { openTerminalIo, type TerminalIo, type TerminalStreams } from './terminal-io.ts'

interface ScreenDrawer {
  /** Absent: what is known of the terminal. */
  reflow?: ReflowKind | undefined
  /** Asked for each frame; what is finished is given once. */
  content(size: { columns: number; rows: number }): ScreenContent
  input(event: TerminalInput): void
  gone(): void
}

export interface LiveScreen {
  /** Something that is seen has changed. `soon`: by a key, drawn at once. */
  changed(soon?: boolean): void
  /** Bytes that draw nothing: a bell, a title, the clipboard. */
  signal(bytes: string): void
  /** Draws everything again. */
  redraw(): void
  suspend(): void
  /** Gives the terminal to somebody else, an editor, until that is over. */
  lend(use: () => Promise<void>): Promise<void>
  /** Draws a last frame, gives the terminal back, and leaves the cursor below it. */
  close(): Promise<void>
  /** Gives the terminal back without drawing: nobody sees it. */
  abandon(): void
}

const frameMs = { local: 33, remote: 100 }
/**
 * The size is taken once it has been still for so long; tmux tells the next one only after a while, and an
 * answer from afar takes longer.
 */
const resizeMs = ({ TMUX, TERM, SSH_CONNECTION }: TerminalStreams['env']) =>
  TMUX || TERM?.startsWith('tmux') || SSH_CONNECTION !== undefined ? 300 : 80

/** A terminal that is asked something as the screen ends may take so long to answer. */
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

/** A last frame, once the one under way is there and nothing is asked any more. */
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
  // an answer that comes later would be read by a shell
  await place.settle(answerMs)
}

/** One frame at a time, the next once the terminal has taken it. */
function openFrames(
  io: Pick<TerminalIo, 'isBusy' | 'readSize'>,
  ms: number,
  { isHeld, paint }: { isHeld(): boolean; paint(): void },
) {
  let isDue = false
  let isClosed = false
  const draw = () => {
    pacer.cancel()
    // what is drawn for another size cannot be found again
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
  // a frame under way would be drawn over what comes
  await io.flush()
  const takeBack = io.lend()
  try {
    await use()
  } finally {
    takeBack()
    ended()
  }
}

/** Frames at a distance; a terminal that takes long is written to less often. */
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

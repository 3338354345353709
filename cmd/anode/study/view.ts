// Shows a study while it goes on: a board that is drawn anew on a terminal, else a line per change, or JSON lines.
import { terminalOptions } from '../../../internal/render/terminal.ts'
import type { Line } from '../../../internal/store/journal/journal.ts'
import { board } from '../../../internal/study/show/board.ts'
import { brief } from '../../../internal/study/show/brief.ts'
import { say } from '../../../internal/study/show/say.ts'
import { advance, begin, type StudyState } from '../../../internal/study/state.ts'
import { json } from '../json.ts'
import type { Out } from '../out.ts'
import type { Io } from '../verb.ts'

export interface View {
  /** The next entry of the log; the first one is the study's head. */
  line(line: Line): void
  /** Words of the program itself. */
  note(text: string): void
  /** Leaves the last state on the screen as plain lines; nothing is drawn after that. */
  end(): void
}

export interface ViewOptions {
  /** Where to; standard error belongs to progress, standard output to results. */
  out: Out
  form: 'auto' | 'json' | 'quiet'
  /** Entries up to this one are known already: they are taken in and not told. */
  after?: number
}

/** Milliseconds between two drawings, so that elapsed time moves. */
const pace = 200

export function openView(io: Io, { out, form, after = 0 }: ViewOptions): View {
  if (form === 'quiet') return { line: () => undefined, note: () => undefined, end: () => undefined }
  if (form === 'json') {
    return {
      line: (line) => void (line.seq > after && out.write(json(brief(line)))),
      note: (text) => void out.write(json({ kind: 'note', text })),
      end: () => undefined,
    }
  }
  return out.isTTY && io.env.TERM !== 'dumb' ? screen(io, out, after) : plain(out, after)
}

/** Gives each new entry the state after it. */
function follower(tell: (line: Line, state: StudyState) => void): {
  line(line: Line): void
  state(): StudyState | undefined
} {
  let state: StudyState | undefined
  return {
    line(line) {
      if (state) advance(state, line)
      else state = begin(line)
      tell(line, state)
    },
    state: () => state,
  }
}

function plain(out: Out, after: number): View {
  const { line } = follower((line, state) => {
    if (line.seq > after) for (const text of say(line, state)) out.write(`${text}\n`)
  })
  return { line, note: (text) => void out.write(`${text}\n`), end: () => undefined }
}

function screen(io: Io, out: Out, after: number): View {
  const told: string[] = []
  let height = 0
  let ended = false
  const { line, state } = follower((line, state) => {
    if (line.seq > after) told.push(...say(line, state))
  })
  // up to the first line of the last drawing, then everything below away
  const erase = () => {
    if (height > 0) out.write(`\x1b[${height}A\x1b[J`)
    height = 0
  }
  const draw = () => {
    const now = state()
    if (ended || !now) return
    const look = { ...terminalOptions({ env: io.env, stream: out }), all: true }
    // the last cell stays free: some terminals wrap when it is written
    const lines = board(now, { ...look, width: look.width - 1 }, (out.stream.rows ?? 24) - 1, Date.now())
    erase()
    out.write(`${lines.join('\n')}\n`)
    height = lines.length
  }
  const timer = setInterval(draw, pace)
  timer.unref()
  return {
    line(next) {
      line(next)
      // what comes first is shown at once, the rest at its pace
      if (height === 0) draw()
    },
    note: (text) => void told.push(text),
    end() {
      if (ended) return
      clearInterval(timer)
      erase()
      ended = true
      for (const text of told) out.write(`${text}\n`)
    },
  }
}

// The question for one approval on a terminal. All lines are shown, in pages if necessary, before the user
// can allow the call.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { makePen, type Pen } from '../../render/pen.ts'
import { terminalOptions } from '../../render/terminal.ts'
import { type KeyInput, readKeys } from '../terminal/key-reader.ts'
import { columnsOf, type FrameOutput, liveFrame, rowsOf } from '../terminal/live-frame.ts'
import { isPaged, isRead, openPager, positionText, rebreakPager } from '../terminal/pager.ts'
import { eachRow, type ScreenRow, type SourceLine } from '../terminal/rows.ts'
import { type ApprovalChoice, applyKey, type ChoiceState, isOpen, openChoice } from './approval-choice.ts'

export interface PromptTerminal {
  input: KeyInput
  output: FrameOutput
  env: EnvironmentVariables
}

/**
 * An answer to the question. `stop`: the user ends the run. `gone`: the terminal closed or the
 * request was aborted.
 */
export type PromptAnswer = ApprovalChoice | 'stop' | 'gone'

export function penFor({ output, env }: Pick<PromptTerminal, 'output' | 'env'>): Pen {
  const stream = { isTTY: true, columns: columnsOf(output) }
  const { width, color, unicode, ambiguous } = terminalOptions({
    env: { ...env, COLUMNS: undefined },
    stream,
  })
  return makePen({ width, color, unicode, ambiguous, all: true })
}

/**
 * Returns true if the terminal cannot redraw rows, or if ACCESSIBLE is set to a text other than `0`, `false`
 * and the empty text, for users of a screen reader.
 */
const isPlain = ({ env }: Pick<PromptTerminal, 'env'>): boolean =>
  env.TERM === 'dumb' || !['', '0', 'false', undefined].includes(env.ACCESSIBLE)

/**
 * Asks for one approval and resolves to the answer. Afterwards the lines stay on the screen if they need only
 * one page, and always on a terminal that cannot redraw rows.
 */
export function promptApproval(
  lines: Iterable<SourceLine>,
  choices: readonly ApprovalChoice[],
  terminal: PromptTerminal,
  signal: AbortSignal,
): Promise<PromptAnswer> {
  const { input, output } = terminal
  if (signal.aborted || input.destroyed || input.readableEnded) return Promise.resolve('gone')
  const below = choices.includes('parts') ? 1 : 0
  const screen = isPlain(terminal) ? plainScreen(terminal, below) : drawnScreen(terminal, below)
  let state = openChoice(screen.layOut(lines), choices)
  let isReady = false
  const draw = () => screen.draw(state, isReady)
  const resize = () => {
    const { rows, height } = screen.layOut(lines)
    state = { ...state, pager: rebreakPager(state.pager, rows, height) }
    draw()
  }
  return new Promise((resolve) => {
    const finish = (answer: PromptAnswer) => {
      keys.stop()
      output.off('resize', resize)
      signal.removeEventListener('abort', leave)
      screen.close(state)
      resolve(answer)
    }
    const leave = () => finish('gone')
    const keys = readKeys(input, {
      ready() {
        isReady = true
        draw()
      },
      pressed(key) {
        const outcome = applyKey(state, key)
        if ('stop' in outcome) return finish('stop')
        if ('answer' in outcome) return finish(outcome.answer)
        state = outcome.state
        draw()
      },
      gone: leave,
    })
    output.on('resize', resize)
    signal.addEventListener('abort', leave, { once: true })
    draw()
  })
}

interface PromptScreen {
  layOut(lines: Iterable<SourceLine>): ReturnType<typeof openPager>
  draw(state: ChoiceState, isReady: boolean): void
  close(state: ChoiceState): void
}

/**
 * Returns the number of rows below the lines, for position, answers and keys. `more` is the number of answers
 * in addition to the usual four. On a low screen the answers share one row.
 */
const roomBelow = (rows: number, more: number) => (rows >= 12 ? 6 + more : 3)

function drawnScreen({ output, env }: PromptTerminal, more: number): PromptScreen {
  const frame = liveFrame(output)
  const width = () => columnsOf(output) - 1
  const room = () => Math.max(1, rowsOf(output) - 1 - roomBelow(rowsOf(output), more))
  return {
    layOut: (lines) => openPager(eachRow(lines, width(), penFor({ output, env })), room()),
    draw(state, isReady) {
      const pen = penFor({ output, env })
      frame.draw([...shownRows(state), ...belowText(state, isReady, width(), rowsOf(output), pen)])
    },
    close({ pager }) {
      frame.erase()
      if (!isPaged(pager))
        output.write(
          pager.rows
            .slice(0, pager.height)
            .map(({ text }) => `${text}\n`)
            .join(''),
        )
    },
  }
}

/**
 * Opens a screen for terminals that cannot redraw rows. It prints each row once, and prints the answers and
 * keys again whenever they change.
 */
function plainScreen({ output, env }: PromptTerminal, more: number): PromptScreen {
  let written = 0
  let lastBelow = ''
  const room = () => Math.max(1, rowsOf(output) - 1 - roomBelow(rowsOf(output), more))
  return {
    layOut: (lines) => openPager(eachRow(lines, columnsOf(output) - 1, penFor({ output, env })), room()),
    draw(state, isReady) {
      const { pager } = state
      const fresh = pager.rows.slice(written, pager.seen)
      written = Math.max(written, pager.seen)
      output.write(fresh.map(({ text }) => `${text}\n`).join(''))
      if (!isReady) return
      const pen = penFor({ output, env })
      const below = belowText(state, true, columnsOf(output) - 1, 24, pen).join('\n')
      if (below !== lastBelow) output.write(`${below}\n`)
      lastBelow = below
    },
    close: () => undefined,
  }
}

const shownRows = ({ pager }: ChoiceState): string[] =>
  pager.rows.slice(pager.top, pager.top + pager.height).map(({ text }: ScreenRow) => text)

function belowText(state: ChoiceState, isReady: boolean, width: number, height: number, pen: Pen): string[] {
  const { pager, offered, selected } = state
  const dim = pen.paint({ dim: true })
  const bold = pen.paint({ bold: true })
  const isDone = isRead(pager)
  const position = `${positionText(pager)}${isDone ? '' : ' (read all to allow)'}`
  const positionLines = isPaged(pager) ? [bold(pen.clip(position, width))] : []
  const move = isDone ? 'up/down, Enter' : 'space: next page'
  const keys = isReady ? `${move}; Esc denies; Ctrl-C ends the run` : ' '
  if (height < 12) {
    const short = offered
      .filter(({ choice }) => isOpen(state, choice))
      .map(({ key, choice }) => `${choice === selected ? '>' : ''}${key} ${shortLabels[choice]}`)
    return [...positionLines, pen.clip(short.join('  '), width), dim(pen.clip(keys, width))]
  }
  const rows = offered.map(({ choice, key, number, label }) => {
    const mark = choice === selected ? '>' : ' '
    const text = pen.clip(`${mark} ${number} ${label} (${key})`, width)
    if (!isOpen(state, choice)) return dim(pen.clip(`  - ${label}: after the last line`, width))
    return choice === selected ? bold(text) : text
  })
  return [...positionLines, ...rows, dim(pen.clip(keys, width))]
}

const shortLabels: Readonly<Record<ApprovalChoice, string>> = {
  once: 'once',
  always: 'always',
  deny: 'deny',
  explain: 'deny+why',
  parts: 'parts',
}

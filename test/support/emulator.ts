// A terminal emulator for tests: the output as rows, and a check of its bytes against a list
// of allowed sequences.
import { PassThrough, Writable } from 'node:stream'
import xterm from '@xterm/headless'
import { expect } from 'vitest'

export interface EmulatedTerminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Sends keys as a terminal does. One call is one chunk. */
  type(keys: string): void
  resize(columns: number, rows: number): void
  /** Changes the size as `resize` does, without a signal: the program finds the new size when it reads it. */
  resizeUnseen(columns: number, rows: number): void
  /** Returns all output so far, and whether keys are raw now. */
  bytes(): string
  isRaw(): boolean
  /** Returns all rows with the scrollback. */
  lines(): Promise<string[]>
  /** Returns all rows with the style before each stretch: `{bold red}text{}`. */
  styledLines(): Promise<string[]>
  until(seen: RegExp, ms?: number): Promise<string>
}

export function emulateTerminal(columns = 80, rows = 24): EmulatedTerminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true })
  let bytes = ''
  let isRaw = false
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(raw: boolean) {
      isRaw = raw
    },
  }) as unknown as NodeJS.ReadStream
  const output = Object.assign(
    new Writable({
      write(chunk, _, done) {
        bytes += String(chunk)
        terminal.write(chunk, () => done())
      },
    }),
    {
      ...{ isTTY: true, columns, rows },
      /** Reads the size, as the same method of Node does. */
      _refreshSize() {
        if (output.columns === terminal.cols && output.rows === terminal.rows) return
        Object.assign(output, { columns: terminal.cols, rows: terminal.rows })
        output.emit('resize')
      },
    },
  ) as unknown as NodeJS.WriteStream
  // through the stream, so that the screen gets the answers to a frame before the test sees it
  const write = output.write.bind(output)
  const lines = async () => {
    await new Promise<void>((resolve) => write('', () => resolve()))
    const { active } = terminal.buffer
    return Array.from({ length: active.length }, (_, i) => rowText(active.getLine(i)))
  }
  return {
    input,
    output,
    type: (keys) => void (input as unknown as PassThrough).write(keys),
    resize(cols, height) {
      terminal.resize(cols, height)
      Object.assign(output, { columns: cols, rows: height })
      output.emit('resize')
    },
    resizeUnseen: (cols, height) => terminal.resize(cols, height),
    bytes: () => bytes,
    isRaw: () => isRaw,
    lines,
    async styledLines() {
      await lines()
      const { active } = terminal.buffer
      return Array.from({ length: active.length }, (_, i) => styledRow(active.getLine(i)))
    },
    async until(seen, ms = 100_000) {
      // a test may stop the clock
      const end = performance.now() + ms
      for (;;) {
        const text = (await lines()).join('\n')
        if (seen.test(text)) return text
        if (performance.now() > end) expect.fail(`never seen: ${seen}\n${text.trimEnd().slice(-2_000)}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}

type EmulatedRow = ReturnType<InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']>
type EmulatedCell = NonNullable<ReturnType<NonNullable<EmulatedRow>['getCell']>>

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** Removes trailing spaces, after which the cursor may be. */
const rowText = (line: EmulatedRow) => line?.translateToString(true).trimEnd() ?? ''

function styleOf(cell: EmulatedCell): string {
  const color = cell.getFgColor()
  const named = color < 8 ? colors[color] : `color${color}`
  const words = [
    cell.isBold() ? 'bold' : '',
    cell.isDim() ? 'dim' : '',
    cell.isItalic() ? 'italic' : '',
    cell.isUnderline() ? 'underline' : '',
    cell.isInverse() ? 'reverse' : '',
    cell.isFgRGB() ? `#${color.toString(16).padStart(6, '0')}` : cell.isFgPalette() ? named : '',
    cell.isBgDefault() ? '' : `on ${cell.getBgColor()}`,
  ]
  return words.filter(Boolean).join(' ')
}

function styledRow(line: EmulatedRow): string {
  let [row, before] = ['', '']
  let end = line?.translateToString(true).length ?? 0
  const isBlank = (cell: EmulatedCell | undefined) => cell?.getChars() === ' ' && styleOf(cell) === 'dim'
  while (line && end > 0 && isBlank(line.getCell(end - 1))) end--
  for (let i = 0; line && i < line.length && (i < end || before !== ''); i++) {
    const cell = line.getCell(i)
    const style = cell && i < end ? styleOf(cell) : ''
    if (style !== before) row += `{${style}}`
    before = style
    if (i < end) row += cell?.getChars() || (cell?.getWidth() === 0 ? '' : ' ')
  }
  return row
}

/**
 * Style, cursor and its position, erasing, the modes of Anode, title, notification, clipboard. Nothing
 * else is allowed.
 */
const allowed = new RegExp(
  [
    String.raw`\x1b\[[\d;]*m|\x1b\[\d*[ABCDGX]|\x1b\[\d+;\d+H|\x1b\[2?K|\x1b\[J|\x1b[78]|\x1b\[6n`,
    String.raw`\x1b\[\?(?:7|25|100[0246]|1049|2004|2026)[hl]|\x1b\[2[23];0t|\x1b\](?:0|9|52);[^\x07\x1b]*\x07|[\r\n\x07]`,
  ].join('|'),
  'g',
)

/** Returns the control characters that remain without the allowed sequences. */
export function forbiddenBytes(bytes: string): string[] {
  return bytes.replace(allowed, '').match(/[\0-\x1f\x7f-\x9f][\x20-\x7e]{0,8}/g) ?? []
}

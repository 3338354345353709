// What is used of the terminal library: its text editor and its names of keys. No other file imports it.
import { Editor } from '@earendil-works/pi-tui/dist/components/editor.js'
import { parseKey } from '@earendil-works/pi-tui/dist/keys.js'
import { countCells } from '../../render/text/cell-width.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/** Name of one key that is no printable character: `ctrl+c`, `shift+tab`, `pageUp`; undefined: unknown. */
export function nameKey(sequence: string): string | undefined {
  return parseKey(sequence) ?? otherSequences[sequence]
}

/** Keys that the library's editor knows and its names do not: of tmux, screen, the console and rxvt. */
const otherSequences: Readonly<Record<string, string>> = {
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
  '\x1b[7~': 'home',
  '\x1b[8~': 'end',
}

/** Lines of an edited text as they are drawn, and where the caret stands among them. */
interface DrawnText {
  rows: string[]
  caret: { row: number; column: number }
  /** Lines that are not shown above and below. */
  hiddenBefore: number
  hiddenAfter: number
}

/**
 * A text of several lines with Emacs keys, kill ring and undo. It holds no control characters but line ends.
 */
export interface TextEditor {
  /** One key as the terminal sent it; Enter, Tab and Escape are the caller's. */
  press(sequence: string): void
  insert(text: string): void
  text(): string
  /** `caret`: characters before it; absent: at the end. */
  setText(text: string, caret?: number): void
  isEmpty(): boolean
  /** Characters before the caret. */
  caret(): number
  isAtStart(): boolean
  isAtEnd(): boolean
  draw(columns: number): DrawnText
}

/** What the library puts where the caret is, and how it paints it. */
const caretMark = '\x1b_pi:c\x07'
const painted = /\x1b\[[\d;]*m/g
const hidden = /(\d+) more/

const plain = (text: string) => text

const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** `rows`: of the terminal; the text takes at most a third of them. */
export function openTextEditor(rows: () => number): TextEditor {
  const host = {
    requestRender: () => undefined,
    terminal: {
      get rows() {
        return rows()
      },
    },
  }
  const selectList = {
    selectedPrefix: plain,
    selectedText: plain,
    description: plain,
    scrollInfo: plain,
    noMatch: plain,
  }
  const editor = new Editor(host as unknown as ConstructorParameters<typeof Editor>[0], {
    borderColor: plain,
    selectList,
  })
  editor.focused = true
  // Enter is the caller's: nothing may leave the editor by itself
  editor.disableSubmit = true
  const sane = (text: string) => sanitizeText(text, { keepLines: true })
  return {
    press: (sequence) => editor.handleInput(sequence),
    insert: (text) => editor.insertTextAtCursor(sane(text)),
    text: () => editor.getText(),
    setText(text, caret = text.length) {
      editor.setText(sane(text))
      for (const _ of clusters.segment(sane(text.slice(caret)))) editor.handleInput('\x1b[D')
    },
    isEmpty: () => editor.getText() === '',
    caret() {
      const { line, col } = editor.getCursor()
      return editor
        .getLines()
        .slice(0, line)
        .reduce((sum, one) => sum + one.length + 1, col)
    },
    isAtStart: () => editor.getCursor().line === 0,
    isAtEnd: () => editor.getCursor().line === editor.getLines().length - 1,
    draw: (columns) => readDrawn(editor.render(columns)),
  }
}

/** The library draws borders around the text, and a caret of its own into it: ours is the terminal's. */
function readDrawn([top = '', ...lines]: readonly string[]): DrawnText {
  const bottom = lines.pop() ?? ''
  const row = Math.max(
    0,
    lines.findIndex((line) => line.includes(caretMark)),
  )
  const before = lines[row]?.split(caretMark)[0] ?? ''
  const bare = lines.map((line) => line.replace(caretMark, '').replace(painted, '').trimEnd())
  return {
    rows: bare,
    caret: { row, column: countCells(before.replace(painted, '')) },
    hiddenBefore: Number(hidden.exec(top)?.[1] ?? 0),
    hiddenAfter: Number(hidden.exec(bottom)?.[1] ?? 0),
  }
}

// The text editor and the key names of the terminal library. Only this file imports that library.
import { Editor } from '@earendil-works/pi-tui/dist/components/editor.js'
import { parseKey } from '@earendil-works/pi-tui/dist/keys.js'
import { countCells } from '../../render/text/cell-width.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/**
 * Returns the name of a key that is not a printable character: `ctrl+c`, `shift+tab`, `pageUp`. Returns
 * undefined for an unknown sequence.
 */
export function nameKey(sequence: string): string | undefined {
  return parseKey(sequence) ?? otherSequences[sequence]
}

/**
 * Keys, by their bytes, of tmux, screen, the console and rxvt that the library's editor supports but
 * does not name.
 */
const otherSequences: Readonly<Record<string, string>> = {
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
  '\x1b[7~': 'home',
  '\x1b[8~': 'end',
}

/** The drawn lines of an edited text, with the position of the caret. */
interface DrawnText {
  rows: string[]
  caret: { row: number; column: number }
  /** `hiddenBefore` and `hiddenAfter` are the numbers of hidden lines above and below the drawn ones. */
  hiddenBefore: number
  hiddenAfter: number
}

/**
 * A multiline text editor with the keys of Emacs, which can undo changes and insert deleted text again. The
 * text's only control characters are line ends.
 */
export interface TextEditor {
  /** Handles one key, given by the bytes that the terminal sent. The caller handles Enter, Tab and Escape. */
  press(sequence: string): void
  insert(text: string): void
  text(): string
  /**
   * Sets the text of the editor. `caret` is the number of characters before the caret. Default: the end
   * of the text.
   */
  setText(text: string, caret?: number): void
  isEmpty(): boolean
  /** Returns the number of characters before the caret. */
  caret(): number
  isAtStart(): boolean
  isAtEnd(): boolean
  draw(columns: number): DrawnText
}

/**
 * `caretMark` is the mark that the library inserts at the caret. `painted` matches styles of text, and
 * `hidden` matches the number of hidden lines in a border.
 */
const caretMark = '\x1b_pi:c\x07'
const painted = /\x1b\[[\d;]*m/g
const hidden = /(\d+) more/

const keepText = (text: string) => text

const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Opens a text editor. `rows` returns the height of the terminal. The editor shows text in at most 30% of it,
 * or in five rows if that is more.
 */
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
    selectedPrefix: keepText,
    selectedText: keepText,
    description: keepText,
    scrollInfo: keepText,
    noMatch: keepText,
  }
  const editor = new Editor(host as unknown as ConstructorParameters<typeof Editor>[0], {
    borderColor: keepText,
    selectList,
  })
  editor.focused = true
  // The caller handles Enter, so the editor of the library must not submit the text by itself.
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

/**
 * Returns the rows of text without the library's borders and caret, the position of the caret, and the
 * numbers of hidden rows. The screen shows the terminal's own caret instead.
 */
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

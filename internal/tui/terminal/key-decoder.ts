// The decoder of terminal input, which returns keys, mouse events, pastes and focus changes. The bytes of one
// key may arrive in pieces.
import { splitClusters } from '../../render/text/cell-width.ts'
import { isPasteChunk } from '../input/paste.ts'
import { nameKey } from './library.ts'

export type TerminalInput =
  /**
   * A pressed key. `name` is the character or a name such as `ctrl+c`, empty for an unknown sequence. `burst`
   * means that other keys arrived together with it.
   */
  | { kind: 'key'; name: string; sequence: string; burst: boolean }
  | { kind: 'paste'; text: string }
  | { kind: 'focus'; focused: boolean }
  | MouseInput

/** A mouse event. `row` and `column` count from 0. `drag` means a move with the first button pressed. */
export interface MouseInput {
  kind: 'mouse'
  action: 'press' | 'drag' | 'release' | 'wheelUp' | 'wheelDown'
  row: number
  column: number
}

interface KeyDecoder {
  push(chunk: string): TerminalInput[]
  /**
   * Decodes the pending bytes although more could follow: a lone Escape, or a paste without its end. An
   * incomplete sequence is dropped.
   */
  flush(): TerminalInput[]
  /**
   * Returns the kind of the pending bytes. `escape` may be a key; a `sequence` can only come from a terminal.
   */
  pending(): 'none' | 'escape' | 'sequence' | 'paste'
}

const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'

/** Length in characters of the longest sequence for whose end the decoder waits. */
const maxSequence = 4_096

/** Matches a complete sequence: control sequence, SS3, control string, or Alt with a character. */
const complete = new RegExp(
  [
    String.raw`^\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|O[\x40-\x7e]`,
    String.raw`|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[^\x1b\[O\]PX^_])`,
  ].join(''),
  'u',
)
const sequenceStart = /^\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*|O|[\]PX^_][^\x07\x1b]*\x1b?)?$/
/**
 * Matches an incomplete sequence that is longer than Escape or Alt with a key. Such a sequence must not count
 * as the key Escape.
 */
const torn = /^\x1b[[O\]PX^_][\s\S]/
const controlString = /^\x1b[\]PX^_]/
const printable = /^[^\x00-\x1f\x7f-\x9f]+/

export function openKeyDecoder(): KeyDecoder {
  let buffer = ''
  let pasted: string | undefined
  const takePaste = (inputs: TerminalInput[]): boolean => {
    const end = buffer.indexOf(pasteEnd)
    if (end < 0) return false
    inputs.push({ kind: 'paste', text: (pasted ?? '') + buffer.slice(0, end) })
    buffer = buffer.slice(end + pasteEnd.length)
    pasted = undefined
    return true
  }
  const read = (inputs: TerminalInput[]) => {
    while (buffer !== '') {
      if (pasted !== undefined) {
        if (!takePaste(inputs)) return
      } else if (buffer.startsWith(pasteStart)) {
        buffer = buffer.slice(pasteStart.length)
        pasted = ''
      } else if (isBegun(buffer)) {
        return
      } else {
        buffer = buffer.slice(readOne(buffer, inputs))
      }
    }
  }
  return {
    push(chunk) {
      if (buffer === '' && pasted === undefined && isPasteWithoutBrackets(chunk)) {
        return [{ kind: 'paste', text: chunk.replaceAll('\r', '\n') }]
      }
      buffer += chunk
      const inputs: TerminalInput[] = []
      read(inputs)
      return markBurst(inputs)
    },
    flush() {
      const inputs: TerminalInput[] = []
      if (pasted !== undefined) inputs.push({ kind: 'paste', text: pasted + buffer })
      else if (buffer.startsWith('\x1b') && !torn.test(buffer)) inputs.push(keyOf('escape', '\x1b'))
      // Only after a lone Escape are the following bytes text that the user typed.
      const rest = pasted === undefined && !/^\x1b[[O\]PX^_]/.test(buffer) ? buffer.slice(1) : ''
      pasted = undefined
      buffer = rest
      read(inputs)
      return markBurst(inputs)
    },
    pending() {
      if (pasted !== undefined) return 'paste'
      return buffer === '' ? 'none' : torn.test(buffer) ? 'sequence' : 'escape'
    },
  }
}

const isBegun = (text: string) => text.length <= maxSequence && sequenceStart.test(text)

/**
 * Returns true if a chunk of input is a paste although the terminal has not marked it. An Enter at its end
 * does not count, because it may be typed ahead, and escape sequences are never a paste, because a held
 * key sends many.
 */
function isPasteWithoutBrackets(chunk: string): boolean {
  if (chunk.includes('\x1b')) return false
  return isPasteChunk(chunk.replace(/\r$/, '')) && /[^\x00-\x1f\x7f]{2}/.test(chunk)
}

/**
 * Decodes the first sequence, control character or run of printable characters of the text, adds its inputs
 * to `inputs`, and returns its number of characters.
 */
function readOne(text: string, inputs: TerminalInput[]): number {
  const sequence = complete.exec(text)?.[0]
  if (sequence !== undefined) {
    if (sequence === '\x1b[I' || sequence === '\x1b[O') {
      inputs.push({ kind: 'focus', focused: sequence.endsWith('I') })
    } else if (mouse.test(sequence)) {
      inputs.push(...readMouse(sequence))
    } else if (!controlString.test(sequence) && sequence !== pasteEnd) {
      inputs.push(keyOf(nameKey(sequence) ?? '', sequence))
    }
    return sequence.length
  }
  if (text.startsWith('\x1b')) {
    inputs.push(keyOf('escape', '\x1b'))
    return 1
  }
  const run = printable.exec(text)?.[0]
  if (run === undefined) {
    const control = text[0] as string
    // The terminal library reads a line feed as Enter, but Enter sends a carriage return, so a line
    // feed is Ctrl-J.
    inputs.push(keyOf(control === '\n' ? 'ctrl+j' : (nameKey(control) ?? ''), control))
    return 1
  }
  for (const cluster of splitClusters(run)) inputs.push(keyOf(cluster.text, cluster.text))
  return run.length
}

const mouse = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/

/**
 * Decodes a mouse event. Ignores buttons other than the first and the wheel, and movements without a button.
 */
function readMouse(sequence: string): MouseInput[] {
  const [, code, column, row, end] = mouse.exec(sequence) ?? []
  // The modifiers Shift, Alt and Ctrl in a mouse event are ignored.
  const button = Number(code) & ~0b11100
  const actions: Readonly<Record<number, MouseInput['action']>> = {
    0: end === 'm' ? 'release' : 'press',
    32: 'drag',
    64: 'wheelUp',
    65: 'wheelDown',
  }
  const action = actions[button]
  return action ? [{ kind: 'mouse', action, row: Number(row) - 1, column: Number(column) - 1 }] : []
}

const keyOf = (name: string, sequence: string): TerminalInput => ({
  kind: 'key',
  name,
  sequence,
  burst: false,
})

function markBurst(inputs: TerminalInput[]): TerminalInput[] {
  const keys = inputs.filter(({ kind }) => kind === 'key').length
  return keys < 2 ? inputs : inputs.map((one) => (one.kind === 'key' ? { ...one, burst: true } : one))
}

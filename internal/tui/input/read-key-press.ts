// The conversion of terminal input to a key press, or to a text that arrived in one piece.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { TerminalInput } from '../terminal/key-decoder.ts'
import { type KeyPress, normalizeKey } from './key-press.ts'

export function readKeyPress(input: Extract<TerminalInput, { kind: 'key' | 'paste' }>): KeyPress {
  if (input.kind === 'paste') return { key: '', text: sanitizeText(input.text), burst: true }
  const { name, sequence, burst } = input
  const isTyped = name === sequence
  return { key: normalizeKey(name) ?? '', text: isTyped ? name : '', burst }
}

// The fonts of an RTF file, which determine how the bytes of a text are decoded.
import { symbolOf } from '../office/symbol-letters.ts'
import { decodeRtfBytes, encodingOfCharset, encodingOfCodePage } from './rtf-encodings.ts'

export class RtfFonts {
  readonly #encodings = new Map<number, string | undefined>()
  /** Names of symbol fonts by font number; empty until the name is read. */
  readonly #symbols = new Map<number, string>()
  #encoding: string | undefined = 'windows-1252'

  /** Sets the code page of the file if the control word `name` is about it; other words are ignored. */
  setFile(name: string, value: number | undefined): void {
    if (name === 'ansicpg') this.#encoding = encodingOfCodePage(value ?? 1252)
    else if (name === 'mac') this.#encoding = 'macintosh'
    else if (name === 'pc' || name === 'pca') this.#encoding = undefined
  }

  /**
   * Sets the encoding of a font by the control word `cpg` or `fcharset`; charset 2 marks a symbol font.
   * Charsets 0 and 1 are ignored, because they mean the encoding of the file, whose code page is more exact.
   */
  setFont(font: number | undefined, name: string, value: number): void {
    if (font === undefined) return
    if (name === 'cpg') this.#encodings.set(font, encodingOfCodePage(value))
    else if (name === 'fcharset' && value === 2) this.#symbols.set(font, '')
    else if (name === 'fcharset' && value > 1) this.#encodings.set(font, encodingOfCharset(value))
  }

  /** Sets the name of a font. Only names of symbol fonts are stored. */
  setName(font: number | undefined, bytes: string): void {
    if (font !== undefined && this.#symbols.get(font) === '')
      this.#symbols.set(font, bytes.replace(/;.*/s, '').trim())
  }

  isSymbol(font: number | undefined): boolean {
    return font !== undefined && this.#symbols.has(font)
  }

  decode(font: number | undefined, bytes: string): string {
    if (this.isSymbol(font))
      return [...bytes].map((byte) => this.letterOf(font, 0xf000 + byte.charCodeAt(0))).join('')
    const isKnown = font !== undefined && this.#encodings.has(font)
    return decodeRtfBytes(bytes, isKnown ? this.#encodings.get(font) : this.#encoding)
  }

  /** Returns the letter that a font shows for a UTF-16 code unit. */
  letterOf(font: number | undefined, code: number): string {
    const symbol = this.#symbols.get(font ?? -1)
    return symbol === undefined ? String.fromCharCode(code) : symbolOf(symbol, code.toString(16))
  }
}

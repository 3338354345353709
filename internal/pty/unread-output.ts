// The output of a terminal that nobody has read yet: whole lines as they stand in the end, bounded in front.
import { createPlainOutput } from './plain-output.ts'

/** Characters that wait to be read; what was there before them is lost. */
const maxUnreadChars = 200_000

export class UnreadOutput {
  readonly #plain = createPlainOutput()
  #text = ''
  /** Where the line that is still being written begins. */
  #lineAt = 0
  /** The next character goes back to the beginning of that line. */
  #returns = false
  #dropped = 0

  push(piece: string): void {
    const text = this.#plain(piece)
    if (text === '') return
    if (this.#returns || text.includes('\r')) this.#overwrite(text)
    else this.#append(text)
    // cutting for every piece would copy the whole for every piece
    if (this.#text.length > 2 * maxUnreadChars) this.#dropFront()
  }

  #append(text: string): void {
    const end = text.lastIndexOf('\n')
    if (end !== -1) this.#lineAt = this.#text.length + end + 1
    this.#text += text
  }

  /** What follows the last return of a line is what the line says. */
  #overwrite(text: string): void {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) {
        this.#returns = false
        this.#append('\n')
      }
      const shown = part.replace(/\r+$/, '')
      const at = shown.lastIndexOf('\r')
      if (shown !== '' && (this.#returns || at !== -1)) this.#text = this.#text.slice(0, this.#lineAt)
      if (shown !== '') this.#returns = false
      this.#text += shown.slice(at + 1)
      if (shown !== part) this.#returns = true
    }
  }

  #dropFront(): void {
    const over = this.#text.length - maxUnreadChars
    if (over <= 0) return
    this.#dropped += over
    this.#cut(over)
  }

  #cut(chars: number): void {
    this.#text = this.#text.slice(chars)
    this.#lineAt = Math.max(0, this.#lineAt - chars)
  }

  get length(): number {
    return Math.min(this.#text.length, maxUnreadChars)
  }

  /** The oldest characters, how many are left, and how many were lost since this was last asked. */
  take(maxChars: number): { text: string; left: number; dropped: number } {
    this.#dropFront()
    const end = splitsCharacter(this.#text, maxChars) ? maxChars - 1 : maxChars
    const text = this.#text.slice(0, end)
    this.#cut(text.length)
    const dropped = this.#dropped
    this.#dropped = 0
    return { text, left: this.#text.length, dropped }
  }
}

/** Whether a cut here would tear a character of two units. */
function splitsCharacter(text: string, at: number): boolean {
  return at > 1 && at < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
}

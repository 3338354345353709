// Unread output of a terminal. Lines have their final state, and the oldest text is dropped above a limit.
import { createPlainOutput } from './plain-output.ts'

/** Largest number of unread characters; older ones are lost. */
const maxUnreadChars = 200_000

export class UnreadOutput {
  readonly #plain = createPlainOutput()
  #text = ''
  /** Index at which the line that is still being written begins. */
  #lineAt = 0
  /** True after a carriage return, so that the next character replaces the text of that line. */
  #returns = false
  #dropped = 0

  push(piece: string): void {
    const text = this.#plain(piece)
    if (text === '') return
    if (this.#returns || text.includes('\r')) this.#overwrite(text)
    else this.#append(text)
    // The old text is removed only now and then, because removing it copies the whole text each time.
    if (this.#text.length > 2 * maxUnreadChars) this.#dropFront()
  }

  #append(text: string): void {
    const end = text.lastIndexOf('\n')
    if (end !== -1) this.#lineAt = this.#text.length + end + 1
    this.#text += text
  }

  /** Adds text to the last line. Text after a carriage return replaces the whole line, also a longer one. */
  #overwrite(text: string): void {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) {
        this.#returns = false
        this.#append('\n')
      }
      const visibleText = part.replace(/\r+$/, '')
      const at = visibleText.lastIndexOf('\r')
      if (visibleText !== '' && (this.#returns || at !== -1)) this.#text = this.#text.slice(0, this.#lineAt)
      if (visibleText !== '') this.#returns = false
      this.#text += visibleText.slice(at + 1)
      if (visibleText !== part) this.#returns = true
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

  /**
   * Returns the oldest characters, at most `maxChars`, the number of remaining ones, and the number lost
   * since the previous call.
   */
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

/** Returns whether a cut at this position would split a surrogate pair; false for positions up to 1. */
function splitsCharacter(text: string, at: number): boolean {
  return at > 1 && at < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
}

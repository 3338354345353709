// Notes that the model receives with the user's next message, or during a run with its next request.
import { splitContent } from '../../agent/messages.ts'
import type { MessageContent, ModelMessage } from '../../model/model.ts'

export class ModelNotes {
  readonly #notes: MessageContent[]

  constructor(texts: readonly string[]) {
    this.#notes = [...texts]
  }

  add(note: MessageContent): void {
    this.#notes.push(note)
  }

  /** Removes a note that the model has not received yet. Returns true if there was such a note. */
  remove(note: string): boolean {
    const at = this.#notes.lastIndexOf(note)
    if (at !== -1) this.#notes.splice(at, 1)
    return at !== -1
  }

  /** Returns the text of each note. */
  list(): readonly string[] {
    return this.#notes.map((note) => splitContent(note).text)
  }

  /** Returns the notes as messages and removes them. */
  take(): ModelMessage[] {
    return this.#notes.splice(0).map((content) => ({ role: 'user', content, origin: 'note' }))
  }
}

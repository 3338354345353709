// What the model is told with the next message of the user.
import type { ModelMessage } from '../../model/model.ts'

export class ModelNotes {
  readonly #texts: string[]

  constructor(texts: readonly string[]) {
    this.#texts = [...texts]
  }

  add(text: string): void {
    this.#texts.push(text)
  }

  list(): readonly string[] {
    return this.#texts
  }

  /** The notes as messages; they are told once. */
  take(): ModelMessage[] {
    return this.#texts.splice(0).map((content) => ({ role: 'user', content, origin: 'note' }))
  }
}

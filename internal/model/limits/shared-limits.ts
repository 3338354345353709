// The store of rate limits that all machines of a study share. Without it, limits are in a local file.

/** A store of rate limits that several machines share. It has one text with limits for each key. */
export interface SharedLimits {
  /**
   * Changes the text of `key` as one step. `work` gets the text and the store's clock in milliseconds since
   * 1970, and may run several times. It returns a value, with the new text or without a text to leave it as
   * it is. Resolves to the value of the last run. Rejects if the store cannot be reached.
   */
  change(key: string, work: (text: string | undefined, now: number) => LimitChange): Promise<number>
}

interface LimitChange {
  text?: string
  value: number
}

let store: SharedLimits | undefined

/** Sets the store for all models of this process; undefined ends its use. */
export function shareLimits(next: SharedLimits | undefined): void {
  store = next
}

export const sharedLimits = (): SharedLimits | undefined => store

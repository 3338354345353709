// Whether the models of this process are recorded or replayed as a whole: `anode harness` alone decides it.

export interface ModelTape {
  mode: 'record' | 'replay'
  /** Absolute path of the file with the replies. */
  file: string
}

let tape: ModelTape | undefined

/** Counts for every model that this process opens from here on; undefined: for none. */
export function setModelTape(next: ModelTape | undefined): void {
  tape = next
}

export const modelTape = (): ModelTape | undefined => tape

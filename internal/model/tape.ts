// The recording or replay of all models of this process, which only `anode harness` starts.

export interface ModelTape {
  mode: 'record' | 'replay'
  /** Absolute path of the file with the responses. */
  file: string
}

let tape: ModelTape | undefined

/** Sets the tape for every model that this process opens from here on; undefined ends it. */
export function setModelTape(next: ModelTape | undefined): void {
  tape = next
}

export const modelTape = (): ModelTape | undefined => tape

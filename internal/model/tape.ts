// The recording of model responses, or their replay from a file, that all models of this process use. Only
// the command `anode harness` starts one.

export interface ModelTape {
  mode: 'record' | 'replay'
  /** Absolute path of the file that stores the recorded responses. */
  file: string
}

let tape: ModelTape | undefined

/** Sets the recording or replay for every model that this process opens from now on; undefined ends it. */
export function setModelTape(next: ModelTape | undefined): void {
  tape = next
}

export const modelTape = (): ModelTape | undefined => tape

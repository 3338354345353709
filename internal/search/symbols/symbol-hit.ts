// A definition that was found.
import type { ByteName } from '../../base/text/byte-name.ts'

export interface SymbolHit {
  name: string
  kind: string
  /** Name of the file, relative to the tree. */
  file: ByteName
  line: number
  /** Text of the line with the definition. */
  text: string
  /** Name of the definition that encloses this one, if the engine reports it. */
  scope?: string
}

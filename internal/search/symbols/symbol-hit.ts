// A definition that was found.
import type { ByteName } from '../../base/text/byte-name.ts'

export interface SymbolHit {
  name: string
  kind: string
  /** Name of the file, relative to the tree. */
  file: ByteName
  line: number
  /** The line itself. */
  text: string
  /** What encloses the symbol, when the engine tells. */
  scope?: string
}

// A definition that was found.
import type { Name } from './name.ts'

export interface SymbolHit {
  name: string
  kind: string
  /** Name of the file, relative to the tree. */
  file: Name
  line: number
  /** The line itself. */
  text: string
  /** What encloses the symbol, when the engine tells. */
  scope?: string
}

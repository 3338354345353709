// Marks that put a formula in MathML on one line: `x^2`, `(a)/(b)`, `√(x)`, `a, b; c, d`.

/** Text before each child of an element, by the position of the child. */
const childMarks: Readonly<Record<string, readonly string[]>> = {
  msup: ['', '^'],
  msub: ['', '_'],
  msubsup: ['', '_', '^'],
  mover: ['', '^'],
  munder: ['', '_'],
  munderover: ['', '_', '^'],
  mfrac: ['(', ')/('],
}
const separators: Readonly<Record<string, string>> = { mtable: '; ', mtr: ', ' }

/**
 * The open elements of a formula. `open` and `close` return the marks before and after the text of an
 * element; empty without a mark, and outside of `math`.
 */
export class MathMarks {
  readonly #open: { name: string; children: number }[] = []

  get isOpen(): boolean {
    return this.#open.length > 0
  }

  open(name: string): string {
    const parent = this.#open.at(-1)
    if (!parent && name !== 'math') return ''
    this.#open.push({ name, children: 0 })
    const at = parent ? parent.children++ : 0
    const separator = at > 0 ? (separators[parent?.name ?? ''] ?? '') : ''
    return separator + (childMarks[parent?.name ?? '']?.[at] ?? '') + (name === 'msqrt' ? '√(' : '')
  }

  close(): string {
    const name = this.#open.pop()?.name
    return name === 'mfrac' || name === 'msqrt' ? ')' : ''
  }
}

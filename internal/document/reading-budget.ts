// Limits on reading one document (size, characters, blocks, time, memory), and the errors that
// end reading early.

/**
 * Limits of reading one document: bytes of its file, characters and blocks of its text, milliseconds, and
 * bytes of memory by which the process may grow.
 */
export interface DocumentLimits {
  bytes: number
  chars: number
  blocks: number
  ms: number
  memory: number
}

export const documentLimits: DocumentLimits = {
  bytes: 32 << 20,
  chars: 4_000_000,
  blocks: 50_000,
  ms: 30_000,
  memory: 120 << 20,
}

/** A document that cannot be read; the message is for users: `it is encrypted`. */
export class UnreadableDocument extends Error {}

/**
 * Thrown inside a reader that cannot read the rest, for example at the limit of characters, blocks or pages;
 * the text that was read so far counts. The message names that text. At the time limit, UnreadableDocument
 * is thrown instead.
 */
export class DocumentCut extends Error {}

export interface ReadingBudget {
  readonly limits: DocumentLimits
  readonly signal: AbortSignal
  /** Throws UnreadableDocument if the time is over or the signal has aborted. */
  check(): void
  /**
   * Counts a block before it is added. Throws DocumentCut if the document with this block exceeds the limit
   * of characters or blocks.
   */
  take(text: string): void
  /**
   * Returns the text with `part` appended; throws DocumentCut if the result is longer than a document may be.
   */
  grow(text: string, part: string): string
  /** Yields to other tasks, then does the same as `check`. */
  pause(): Promise<void>
  msLeft(): number
}

export function createReadingBudget(limits: DocumentLimits, signal: AbortSignal): ReadingBudget {
  const until = performance.now() + limits.ms
  let chars = 0
  let blocks = 0
  const check = () => {
    if (signal.aborted) throw new UnreadableDocument('it was cancelled')
    if (performance.now() > until) throw new UnreadableDocument(`it takes longer than ${limits.ms / 1000} s`)
  }
  return {
    limits,
    signal,
    check,
    take(text) {
      chars += text.length
      blocks++
      if (chars > limits.chars) throw new DocumentCut(`the first ${formatMillions(limits.chars)} characters`)
      if (blocks > limits.blocks) throw new DocumentCut(`the first ${limits.blocks} paragraphs or rows`)
    },
    grow(text, part) {
      if (text.length + part.length <= limits.chars) return text + part
      throw new DocumentCut(
        `the text before a paragraph of more than ${formatMillions(limits.chars)} characters`,
      )
    },
    async pause() {
      await new Promise<void>((resolve) => setImmediate(resolve))
      check()
    },
    msLeft: () => Math.max(0, until - performance.now()),
  }
}

const formatMillions = (n: number) => (n >= 1_000_000 ? `${n / 1_000_000} million` : String(n))

/**
 * Runs a reader that fills `list`. If a DocumentCut interrupts it, the blocks before the cut are returned
 * with `cut`. Rejects with any other error.
 */
export async function collectBlocks<B, F extends object>(
  list: { readonly blocks: B[] },
  read: () => Promise<F>,
): Promise<Partial<F> & { blocks: B[]; cut?: string }> {
  try {
    return { ...(await read()), blocks: list.blocks }
  } catch (error) {
    if (!(error instanceof DocumentCut)) throw error
    return { blocks: list.blocks, cut: error.message } as Partial<F> & { blocks: B[]; cut: string }
  }
}

// The documents that this process has read last, so that searching, filing and checking read each file once.
import type { BigIntStats } from 'node:fs'
import type { DocumentText } from './document-text.ts'

/** Characters of all documents that are kept. */
const maxKeptChars = 6_000_000

const kept = new Map<string, { document: DocumentText; chars: number }>()

/** Any write to the file, and any other file in its place, makes another key. */
const keyOf = (path: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats) =>
  [path, dev, ino, size, mtimeNs, ctimeNs].join('\n')

export function cachedDocument(path: string, stat: BigIntStats): DocumentText | undefined {
  const key = keyOf(path, stat)
  const found = kept.get(key)
  if (!found) return undefined
  // the one that was used last goes last
  kept.delete(key)
  kept.set(key, found)
  return found.document
}

export function keepDocument(path: string, stat: BigIntStats, document: DocumentText): void {
  const chars = document.blocks.reduce((sum, { text }) => sum + text.length, 0)
  if (chars > maxKeptChars) return
  kept.set(keyOf(path, stat), { document, chars })
  let sum = [...kept.values()].reduce((all, one) => all + one.chars, 0)
  for (const [key, one] of kept) {
    if (sum <= maxKeptChars) break
    kept.delete(key)
    sum -= one.chars
  }
}

// Truncated and changed documents: each is read or skipped, within its limits of time and memory.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../internal/document/document.ts'
import { documentKindOf } from '../../../internal/document/document-kind.ts'
import { papers } from '../../support/papers.ts'
import { type Rng, rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { makeZip } from '../../support/zip.ts'

/** Every PDF starts a new thread, so PDF files get fewer rounds. */
const tries = { pdf: rounds(12, 150), other: rounds(150, 2_000) }
const maxMs = 5_000
const maxGrowth = 120 << 20

const marks = [
  '<',
  '&',
  '"',
  '(',
  ')',
  '>>',
  'PK\x03\x04',
  '\0',
  '{',
  '[[',
  ']',
  ',',
  '\n',
  '<w:tbl>',
  '/Kids [2 0 R]',
  '99999999',
]

/**
 * Returns the bytes truncated, changed, with a piece repeated or removed, or with a marker of
 * the format inserted.
 */
function mutate(bytes: Buffer, random: Rng): Buffer {
  let out: Buffer = Buffer.from(bytes)
  const at = () => Math.floor(random() * out.length)
  for (let i = 1 + Math.floor(random() * 4); i > 0; i--) {
    const [a, b] = [at(), at()].sort((x, y) => x - y) as [number, number]
    const kind = Math.floor(random() * 5)
    if (kind === 0) out = out.subarray(0, a)
    else if (kind === 1) for (let n = 0; n < 8; n++) out[at()] = Math.floor(random() * 256)
    else if (kind === 2) out = Buffer.concat([out.subarray(0, b), out.subarray(a)])
    else if (kind === 3) out = Buffer.concat([out.subarray(0, a), out.subarray(b)])
    else {
      const mark = Buffer.from(marks[Math.floor(random() * marks.length)] as string, 'latin1')
      out = Buffer.concat([out.subarray(0, a), mark, out.subarray(a)])
    }
    if (out.length === 0) break
  }
  return out
}

/** Returns the file with parts changed before they are packed, to test the code behind the unpacking. */
function mutateParts(bytes: Buffer, random: Rng): Buffer {
  const parts: Record<string, Buffer> = {}
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const [size, name] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)]
    const body = bytes.subarray(at + 30 + name, at + 30 + name + size)
    parts[bytes.toString('utf8', at + 30, at + 30 + name)] = random() < 0.4 ? mutate(body, random) : body
    at += 30 + name + size
  }
  return makeZip(parts)
}

const readable = Object.entries(papers).filter(([name]) => !/^(?:old|sealed|torn)/.test(name))

test.each(readable)(
  'mutations of %s are read or skipped within the limits',
  { timeout: 600_000 },
  async (name, bytes) => {
    const kind = documentKindOf(name)
    if (!kind) throw new Error(`${name} is no document`)
    const random = rng(Number(process.env.ANODE_SEED ?? 14))
    const packed = kind === 'docx' || kind === 'epub'
    const all = kind === 'pdf' ? tries.pdf : tries.other
    const before = process.memoryUsage.rss()
    let [read, survived, slowest] = [0, 0, 0]
    for (let i = 0; i < all; i++) {
      const changed = packed && i % 2 === 1 ? mutateParts(bytes, random) : mutate(bytes, random)
      const began = performance.now()
      const found = await parseDocument(changed, kind, { signal: new AbortController().signal })
      const took = performance.now() - began
      slowest = Math.max(slowest, took)
      const said = 'skipped' in found ? /^[^\n]{3,300}$/.test(found.skipped) : found.blocks.length > 0
      if (!('skipped' in found)) read++
      if (said && took < maxMs) survived++
    }
    const grown = process.memoryUsage.rss() - before
    console.log(
      `${name}: survived ${survived}/${all}, ${read} of them read, slowest ${Math.round(slowest)} ms, ` +
        `grown by ${Math.round(grown / 1_048_576)} MiB`,
    )
    expect(survived).toBe(all)
    expect(grown).toBeLessThan(maxGrowth)
  },
)

// Reader of ZIP files in memory: parts by name, as streams, with limits on the unpacked size.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { messageOf } from '../base/errors.ts'
import { type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

/** Largest number of entries of an archive; an archive with more entries is not read. */
const maxEntries = 20_000
/**
 * Largest number of unpacked bytes of all parts that are read from one file. Above it, the file is not read.
 */
const maxUnpackedBytes = 64 << 20

export interface ZipArchive {
  has(name: string): boolean
  names(): IterableIterator<string>
  /**
   * Returns a part's content, or undefined if the part is missing. The call or the stream throws
   * UnreadableDocument for an encrypted, damaged or oversized part, and for an unknown compression.
   */
  stream(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
}

/**
 * Opens an archive. Throws UnreadableDocument if `bytes` are encrypted, are not a ZIP file, or have too many
 * entries. `kind` is the expected format for the message.
 */
export async function openZip(bytes: Buffer, kind: string, budget: ReadingBudget): Promise<ZipArchive> {
  // an Office file with a password is not an archive but a container that begins with these bytes
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0xd0cf11e0)
    throw new UnreadableDocument('it is encrypted')
  const entries = new Map<string, Entry>()
  let zip: ZipFile
  try {
    zip = await fromBufferPromise(bytes, { validateEntrySizes: true })
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= maxEntries) throw new UnreadableDocument(`it has more than ${maxEntries} parts`)
      if (entries.size % 1_000 === 999) await budget.pause()
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
    }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument(`it is no ${kind} file, or a broken one: ${firstLine(error)}`)
  }
  const remainingSize = { bytes: maxUnpackedBytes }
  return {
    has: (name) => entries.has(name),
    names: () => entries.keys(),
    async stream(name) {
      const entry = entries.get(name)
      if (!entry) return undefined
      if (entry.isEncrypted()) throw new UnreadableDocument('it is encrypted')
      if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
        throw new UnreadableDocument(`it is packed in a way that is not known (${entry.compressionMethod})`)
      if (entry.uncompressedSize > remainingSize.bytes) throw tooLarge()
      return unpackEntry(zip, entry, remainingSize, budget)
    },
  }
}

async function* unpackEntry(
  zip: ZipFile,
  entry: Entry,
  remainingSize: { bytes: number },
  budget: ReadingBudget,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      remainingSize.bytes -= (chunk as Buffer).length
      if (remainingSize.bytes < 0) throw tooLarge()
      budget.check()
      yield chunk as Buffer
    }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument(`it is broken: ${firstLine(error)}`)
  }
}

const tooLarge = () => new UnreadableDocument(`it unpacks to more than ${maxUnpackedBytes >> 20} MiB`)
const firstLine = (error: unknown) => messageOf(error).split('\n')[0] ?? ''

// Parts of a ZIP file in memory: by name, streamed, within limits on what they unpack to.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { messageOf } from '../base/errors.ts'
import { type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

/** More entries than any book or letter has. */
const maxEntries = 20_000
/** All parts that are opened of one file, unpacked. */
const maxUnpackedBytes = 64 << 20

export interface ZipArchive {
  has(name: string): boolean
  names(): IterableIterator<string>
  /**
   * Undefined when there is no such part. Throws UnreadableDocument while it is read: encrypted, a bomb,
   * torn.
   */
  stream(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
}

/** Throws UnreadableDocument; `kind` names what it should have been. */
export async function openZip(bytes: Buffer, kind: string, budget: ReadingBudget): Promise<ZipArchive> {
  // protected Office files are no archive but this container
  if (bytes.readUInt32BE(0) === 0xd0cf11e0) throw new UnreadableDocument('it is encrypted')
  const entries = new Map<string, Entry>()
  let zip: ZipFile
  try {
    zip = await fromBufferPromise(bytes, { validateEntrySizes: true })
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= maxEntries) throw new UnreadableDocument(`it holds more than ${maxEntries} parts`)
      if (entries.size % 1_000 === 999) await budget.pause()
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
    }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument(`it is no ${kind} file, or a broken one: ${firstLine(error)}`)
  }
  const left = { bytes: maxUnpackedBytes }
  return {
    has: (name) => entries.has(name),
    names: () => entries.keys(),
    async stream(name) {
      const entry = entries.get(name)
      if (!entry) return undefined
      if (entry.isEncrypted()) throw new UnreadableDocument('it is encrypted')
      if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
        throw new UnreadableDocument(`it is packed in a way that is not known (${entry.compressionMethod})`)
      if (entry.uncompressedSize > left.bytes) throw tooLarge()
      return bounded(zip, entry, left, budget)
    },
  }
}

async function* bounded(
  zip: ZipFile,
  entry: Entry,
  left: { bytes: number },
  budget: ReadingBudget,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      left.bytes -= (chunk as Buffer).length
      if (left.bytes < 0) throw tooLarge()
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

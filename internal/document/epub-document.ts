// Reader of EPUB books: the sections in reading order, each with its own count of paragraphs.
import { posix } from 'node:path'
import { createBlockList, isoDate } from './block-list.ts'
import type { DocumentContent } from './document-text.ts'
import { readHtmlBlocks } from './html-blocks.ts'
import { parseMarkup } from './markup-events.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from './reading-budget.ts'
import { openZip, type ZipArchive } from './zip-archive.ts'

interface EpubPackage {
  title?: string
  date?: string
  /** Part names in reading order. */
  spine: string[]
}

export async function readEpubDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const zip = await openZip(bytes, 'EPUB', budget)
  const root = await findPackage(zip, budget)
  const { spine, ...facts } = await readPackage(zip, root, budget)
  const encrypted = await encryptedParts(zip, budget)
  if (spine.some((name) => encrypted.has(name))) throw new UnreadableDocument('it is encrypted')
  const list = createBlockList(budget)
  const content = await collectBlocks(list, async () => {
    for (const [i, name] of spine.entries()) {
      const page = await zip.stream(name)
      let paragraph = 0
      const place = () => `section ${i + 1}, paragraph ${++paragraph}`
      if (page) await readHtmlBlocks(page, list, place, budget, 'xml')
    }
    return facts
  })
  return { ...facts, ...content }
}

/**
 * Returns the part name of the book's package description: from the container file, else the first part with
 * the extension `.opf`. Throws UnreadableDocument if the archive has no such part.
 */
async function findPackage(zip: ZipArchive, budget: ReadingBudget): Promise<string> {
  let root: string | undefined
  const container = await zip.stream('META-INF/container.xml')
  if (container)
    await parseOpenTags(container, budget, (name, attributes) => {
      if (name === 'rootfile') root ??= attributes['full-path']
    })
  const packagePart = root ?? [...zip.names()].find((name) => name.endsWith('.opf'))
  if (packagePart === undefined || !zip.has(packagePart))
    throw new UnreadableDocument('it is not an EPUB file: it has no table of its parts')
  return packagePart
}

async function readPackage(zip: ZipArchive, root: string, budget: ReadingBudget): Promise<EpubPackage> {
  const hrefs = new Map<string, string>()
  const spine: string[] = []
  const texts = { title: '', date: '' }
  let reading: 'title' | 'date' | undefined
  const stream = await zip.stream(root)
  if (!stream) return { spine }
  await parseMarkup(
    stream,
    'xml',
    {
      open(raw, attributes) {
        const name = toLocalName(raw)
        if ((name === 'title' || name === 'date') && texts[name] === '') reading = name
        if (name === 'item') hrefs.set(attributes['id'] ?? '', partName(root, attributes['href'] ?? ''))
        const href = name === 'itemref' ? hrefs.get(attributes['idref'] ?? '') : undefined
        // a part may be listed twice, but it is read once
        if (href !== undefined && !spine.includes(href) && spine.length < maxSections) spine.push(href)
      },
      text(text) {
        if (reading && texts[reading].length < 1_000) texts[reading] += text
      },
      close() {
        reading = undefined
      },
    },
    budget,
  )
  const title = texts.title.replace(/\s+/g, ' ').trim()
  const date = isoDate(texts.date)
  return { spine, title: title || undefined, date }
}

const maxSections = 2_000

/** Returns the encrypted parts. Shops may encrypt only the fonts. */
async function encryptedParts(zip: ZipArchive, budget: ReadingBudget): Promise<Set<string>> {
  const partNames = new Set<string>()
  const stream = await zip.stream('META-INF/encryption.xml')
  if (stream)
    await parseOpenTags(stream, budget, (name, attributes) => {
      if (name === 'CipherReference') partNames.add(partName('', attributes['URI'] ?? ''))
    })
  return partNames
}

async function parseOpenTags(
  stream: AsyncIterable<Uint8Array>,
  budget: ReadingBudget,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
): Promise<void> {
  const none = () => undefined
  const handler = {
    open: (name: string, attributes: Readonly<Record<string, string>>) => open(toLocalName(name), attributes),
    text: none,
    close: none,
  }
  await parseMarkup(stream, 'xml', handler, budget)
}

const toLocalName = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Returns the name of a linked part in the archive. For a link out of the file this is a name that
 * no part has.
 */
function partName(from: string, href: string): string {
  const path = href.split('#')[0] ?? ''
  try {
    return posix.join(posix.dirname(from), decodeURIComponent(path))
  } catch {
    // the link contains a percent sign that encodes no character, so the link is used without decoding
    return posix.join(posix.dirname(from), path)
  }
}

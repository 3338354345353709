// Extraction of a PDF's images to files in the cache, named by their content.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { picturesDir } from '../base/dirs.ts'
import type { EnvironmentVariables } from '../base/environment.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { readPdfPages, type UnreadPictures } from './pdf.ts'
import { encodePng } from './png-file.ts'

interface PictureRequest {
  max: number
  ms: number
  signal: AbortSignal
  env: EnvironmentVariables
}

interface ExtractedPictures {
  /** Paths of the extracted image files, in the order of the pages. */
  paths: string[]
  truncated: boolean
  /** Says which images are missing and why. */
  note?: string
}

/**
 * Writes the first `max` images to the cache and returns their paths, each once. Never rejects for the
 * content of the file, which results in a note.
 */
export async function extractPictures(
  bytes: Uint8Array,
  { max, ms, signal, env }: PictureRequest,
): Promise<ExtractedPictures> {
  // The word `/Image` is plain text in every PDF with images, so a file without it need not be read.
  if (max === 0 || ms < 1 || !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('/Image'))
    return { paths: [], truncated: false }
  const pdfPages = await readPdfPages(bytes, {
    chars: maxChars,
    pages: maxPages,
    pictures: max + 1,
    ms,
    signal,
  })
  if (typeof pdfPages === 'string') return { paths: [], truncated: false, note: describeUnread(0, pdfPages) }
  const { pictures, unread, stopped } = pdfPages
  const note = noteOf(unread, stopped)
  if (pictures.length === 0) return { paths: [], truncated: false, note }
  const folder = picturesDir(env)
  makeDirectory(folder, 0o700)
  const paths: string[] = []
  for (const picture of pictures.slice(0, max)) {
    const png = encodePng(picture)
    const path = join(realpathSync(folder), `${fingerprint(png).slice(0, 32)}.png`)
    if (!existsSync(path)) await writeAtomic(path, png)
    if (!paths.includes(path)) paths.push(path)
  }
  return { paths, truncated: pictures.length > max, note }
}

function noteOf(unread: UnreadPictures | undefined, stopped: string | undefined): string | undefined {
  if (unread) return describeUnread(unread.count, unread.why)
  return stopped === undefined ? undefined : describeUnread(0, stopped)
}

const describeUnread = (count: number, why: string) =>
  `${count === 0 ? 'some pictures' : countNoun(count, 'picture')} could not be read: ${why}`

const maxPages = 500
const maxChars = 4_000_000

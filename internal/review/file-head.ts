// Reader of the beginning of a workspace file, and of its number of lines.
import { closeSync } from 'node:fs'
import { FailureError } from '../base/errors.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import { contentKind, trimCut } from '../base/text/text-encoding.ts'
import type { ResolvedPath } from '../policy/paths/path-jail.ts'

interface FileHead {
  kind: ReturnType<typeof contentKind>
  text: string
  whole: boolean
}

/**
 * Returns at most `limit` bytes from the beginning of the file, as text. Throws FailureError for a link, for
 * a path with a link in it, and for the same reasons as openPlain.
 */
export async function readHead(place: ResolvedPath, limit: number): Promise<FileHead> {
  if (place.named !== place.real) {
    throw new FailureError({
      code: 'outside_workspace',
      message: `${place.given} is a link or is behind one`,
    })
  }
  return readBeginning(place.real, limit)
}

/**
 * Returns the number of lines of the regular file at `real`, 1 if it is empty, undefined if it cannot be
 * read. Of a file above 16 MiB it counts only the lines of the beginning.
 */
export async function countFileLines(real: string): Promise<number | undefined> {
  try {
    const { text } = await readBeginning(real, 16 << 20)
    const lines = text.split('\n').length
    return text === '' ? 1 : text.endsWith('\n') ? lines - 1 : lines
  } catch (error) {
    if (error instanceof FailureError) return undefined
    throw error
  }
}

async function readBeginning(real: string, limit: number): Promise<FileHead> {
  const opened = openPlain(real)
  try {
    const { bytes, whole } = await readPrefix(opened, limit)
    const textBytes = whole ? bytes : trimCut(bytes)
    return { kind: contentKind(textBytes), text: textBytes.toString('utf8'), whole }
  } finally {
    closeSync(opened.fd)
  }
}

// Input for the user's message from outside the screen: text from an editor, images and documents.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { fileMessageOf } from '../../base/files/errno.ts'
import { detectPictureType } from '../../media/media-kind.ts'
import { readPictureHeader } from '../../media/picture-header.ts'
import { runEditor, runNoticeProgram } from '../../process/editor-process.ts'

/**
 * Opens the text in the user's editor, as a temporary file called `name`. Returns the saved text without one
 * final line end, or undefined if the editor failed. Throws UserError if no editor is set.
 */
export async function editOutside(
  env: EnvironmentVariables,
  text: string,
  name = 'message.md',
): Promise<string | undefined> {
  const line = env.VISUAL || env.EDITOR
  if (!line) throw new UserError('no editor is set', { hint: 'set VISUAL or EDITOR, for example to nano' })
  const folder = await mkdtemp(join(tmpdir(), 'anode-text-'))
  const file = join(folder, name)
  try {
    await writeFile(file, text, { mode: 0o600 })
    const exit = await runEditor(line, file, env)
    return exit === 0 ? (await readFile(file, 'utf8')).replace(/\n$/, '') : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts a program that notifies the user, without waiting for it. */
export function tellOutside(env: EnvironmentVariables, program: readonly string[], text: string): void {
  runNoticeProgram(program, text, env)
}

const sentTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const maxBytes = 5 * 1024 * 1024

export interface OutsidePicture {
  mime: string
  base64: string
  /** Width and height in pixels, such as `1200x800`; undefined if the header cannot be read. */
  size?: string
}

export async function describePicture(mime: string, bytes: Buffer): Promise<OutsidePicture> {
  const header = readPictureHeader(bytes)
  const size = header && { size: `${header.width}x${header.height}` }
  return { mime, base64: bytes.toString('base64'), ...size }
}

/**
 * Reads an image. Throws UserError if the file cannot be read, is larger than 5 MiB, or does not begin like a
 * PNG, JPEG, GIF or WebP file. The rest of the file is not checked.
 */
export async function readPicture(cwd: string, path: string): Promise<OutsidePicture> {
  const bytes = await readBytes(resolve(cwd, path), path)
  const mime = detectPictureType(bytes)
  if (mime === undefined || !sentTypes.has(mime))
    throw new UserError(`${path} is not a PNG, JPEG, GIF or WebP picture`, {
      hint: 'name an image; in a session a PDF or office file goes along as @FILE',
    })
  return describePicture(mime, bytes)
}

const maxDocumentBytes = 32 * 1024 * 1024

/** Reads a document. Throws UserError for an unreadable file or more than 32 MiB. */
export const readDocument = (cwd: string, path: string): Promise<Buffer> =>
  readBytes(resolve(cwd, path), path, maxDocumentBytes)

async function readBytes(file: string, shownPath: string, limit = maxBytes): Promise<Buffer> {
  try {
    const { size } = await stat(file)
    if (size > limit)
      throw new UserError(`${shownPath} has ${size} bytes, more than ${limit}`, {
        hint: 'make it smaller first',
      })
    return await readFile(file)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(fileMessageOf(error, shownPath), {
      hint: 'name a file that can be read',
      cause: error,
    })
  }
}

// Pictures that go with a task.
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileMessageOf, UserError } from '../../../internal/base/errors.ts'

const kinds: readonly (readonly [string, readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
]
const maxBytes = 5 * 1024 * 1024

/** Throws UserError for what is no picture or larger than 5 MiB. */
export async function readImages(paths: readonly string[], cwd: string) {
  return Promise.all(
    paths.map(async (path) => {
      const bytes = await readBytes(resolve(cwd, path), path)
      const mime = kinds.find(([, magic]) => magic.every((byte, i) => bytes[i] === byte))?.[0]
      if (mime === undefined) throw new UserError(`--image ${path} is not a PNG, JPEG, GIF or WebP picture`)
      return { type: 'image' as const, mime, base64: bytes.toString('base64') }
    }),
  )
}

async function readBytes(file: string, shown: string): Promise<Buffer> {
  try {
    const { size } = await stat(file)
    if (size > maxBytes) {
      throw new UserError(`--image ${shown} has ${size} bytes, more than ${maxBytes}`, {
        hint: 'make it smaller first',
      })
    }
    return await readFile(file)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`--image: ${fileMessageOf(error, shown)}`, {
      hint: 'name a file that can be read',
      cause: error,
    })
  }
}

// Unpacking of an npm package's archive, which is a compressed tar. Only its regular files are used.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FailureError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'

/** Maximum unpacked size of an archive in bytes. A larger archive is rejected. */
const maxUnpackedBytes = 256 << 20
const blockBytes = 512

/** Returns `sha512-…` in the format of package-lock.json. */
export const integrityOf = (archive: Uint8Array): string =>
  `sha512-${createHash('sha512').update(archive).digest('base64')}`

/**
 * Writes the files below `dir`, without the first directory of each path, and returns their number. Skips
 * links and devices. Throws FailureError `io` for an invalid archive, for one of more than 256 MiB unpacked,
 * and for a path that has no directory or leads out of `dir`.
 */
export function unpackArchive(archive: Uint8Array, dir: string): number {
  let files = 0
  for (const { path, bytes } of readTar(gunzipArchive(archive))) {
    const parts = path.split('/').slice(1)
    if (parts.length === 0 || parts.includes('..') || parts.includes('') || path.startsWith('/'))
      throw damagedArchiveError(`it holds the path ${path}`)
    const target = join(dir, ...parts)
    makeDirectory(dirname(target))
    writeFileSync(target, bytes)
    files++
  }
  return files
}

function gunzipArchive(archive: Uint8Array): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: maxUnpackedBytes })
  } catch (cause) {
    throw damagedArchiveError(`it cannot be unpacked (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}

/** Yields regular files in order. Supports long names in the POSIX (pax) and GNU formats. */
function* readTar(tar: Buffer): Generator<{ path: string; bytes: Buffer }> {
  let long: string | undefined
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const header = tar.subarray(at, at + blockBytes)
    if (header.every((byte) => byte === 0)) return
    const size = Number.parseInt(textOf(header, 124, 12).trim() || '0', 8)
    const bytes = tar.subarray(at + blockBytes, at + blockBytes + size)
    if (!(size >= 0) || bytes.length !== size) throw damagedArchiveError('it ends in the middle of a file')
    at += blockBytes * (1 + Math.ceil(size / blockBytes))
    const kind = String.fromCharCode(header[156] as number)
    if (kind === 'x') long = /^\d+ path=(.*)$/m.exec(bytes.toString('utf8'))?.[1] ?? long
    else if (kind === 'L') long = textOf(bytes, 0, bytes.length)
    else {
      const prefix = textOf(header, 345, 155)
      const name = textOf(header, 0, 100)
      const path = long ?? (prefix === '' ? name : `${prefix}/${name}`)
      long = undefined
      if (kind === '0' || kind === '\0') yield { path, bytes }
    }
  }
}

function textOf(bytes: Buffer, from: number, length: number): string {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('utf8')
}

const damagedArchiveError = (why: string) =>
  new FailureError({ code: 'io', message: `not a package archive: ${why}` })

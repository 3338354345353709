// The version of the document readers, on which stored documents depend.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns a hash of the source and the packages of all document readers. */
export function readerVersion(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const room of ['document', 'media', 'base/text']) {
    const dir = join(root, 'internal', room)
    for (const name of readdirSync(dir, { recursive: true }).sort())
      if (/\.m?ts$|\.mjs$/.test(name)) hash.update(name).update(readFileSync(join(dir, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

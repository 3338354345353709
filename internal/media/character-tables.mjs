// The tables of letters of Chinese, Japanese and Korean fonts of PDF files, in one file. As 169 files they
// take half a megabyte more on the disk.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the packed tables of a directory: a line of JSON with the size of each in bytes, by name, then
 * their bytes in the same order.
 */
export function packCharacterTables(directory) {
  const names = readdirSync(directory).filter((name) => name.endsWith('.bcmap'))
  const tables = names.map((name) => [name.slice(0, -'.bcmap'.length), readFileSync(join(directory, name))])
  const sizes = Object.fromEntries(tables.map(([name, bytes]) => [name, bytes.length]))
  return Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...tables.map(([, bytes]) => bytes)])
}

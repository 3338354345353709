// The tree of the benchmarks is the same for the same seed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plant as temporary } from '../support/search.ts'

/** Plain script, so without types. */
const { plant } = (await import('./tree.mjs' as string)) as {
  plant: (dir: string, count: number, seed?: number) => void
}

function digest(count: number, seed: number) {
  const dir = temporary()
  plant(dir, count, seed)
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const names = files.map((entry) => join(entry.parentPath, entry.name).slice(dir.length)).sort()
  const hash = createHash('sha256')
  for (const name of names) hash.update(name).update(readFileSync(dir + name))
  return { names, hash: hash.digest('hex') }
}

test('same seed, same tree; another seed, another one', () => {
  const first = digest(100, 1)
  expect(digest(100, 1)).toEqual(first)
  expect(digest(100, 2).hash).not.toBe(first.hash)
  const plain = first.names.filter((name) => !/^\/build\/|\.log$|gitignore$/.test(name))
  expect(plain).toHaveLength(100)
})

// Files that hold what a part is expected to print; UPDATE=1 writes them anew.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { root } from './sources.ts'

/** `name` is relative to test/golden. */
export function golden(name: string, text: string): void {
  const path = join(root, 'test', 'golden', name)
  if (process.env.UPDATE === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  expect(text).toBe(readFileSync(path, 'utf8'))
}

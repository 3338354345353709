// The locked dependencies of the package: what npm installs on each version of Node and each C library.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/sources.ts'

interface Entry {
  version: string
  dev?: boolean
  optional?: boolean
  engines?: { node?: string }
  libc?: string[]
}
const { makeShrinkwrap } = await import(join(root, 'cmd', 'release', 'shrinkwrap.mjs'))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const packages = makeShrinkwrap(lock).packages as Record<string, Entry>
const entries = Object.entries(packages).filter(([path]) => path !== '')

test('has exactly the packages that are not for development, with their hashes', () => {
  const expected = Object.entries(lock.packages as Record<string, Entry>)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path]) => path)
  expect(entries.map(([path]) => path)).toEqual(expected)
  expect(entries.filter(([, entry]) => !('integrity' in entry))).toEqual([])
  expect(packages['']).not.toHaveProperty('devDependencies')
})

test('limits libsql and what only libsql needs to Node without SQLite, and its binaries to their C library', () => {
  const limited = entries.filter(([, { engines }]) => engines?.node === '<22.16 || 23')
  expect(limited.every(([, { optional }]) => optional)).toBe(true)
  expect(limited.map(([path]) => path.replace('node_modules/', ''))).toEqual([
    ...['@libsql/darwin-arm64', '@libsql/darwin-x64', '@libsql/linux-arm-gnueabihf'],
    ...['@libsql/linux-arm-musleabihf', '@libsql/linux-arm64-gnu', '@libsql/linux-arm64-musl'],
    ...['@libsql/linux-x64-gnu', '@libsql/linux-x64-musl', '@libsql/win32-x64-msvc'],
    ...['@neon-rs/load', 'detect-libc', 'libsql'],
  ])
  for (const [path, { libc }] of limited) {
    const expected = path.includes('gnu') ? ['glibc'] : path.includes('musl') ? ['musl'] : undefined
    expect([path, libc]).toEqual([path, expected])
  }
})

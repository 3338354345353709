// The packed tables of letters: the same bytes as the files of the library, and read by the built program.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

import { world } from '../../support/anode.ts'
import { compositePdf } from '../../support/composite-pdf.ts'
import { root } from '../../support/sources.ts'

const { packCharacterTables } = await import(join(root, 'internal', 'media', 'character-tables.mjs'))
const { resolve } = createRequire(import.meta.url)
const directory = join(dirname(resolve('pdfjs-dist/package.json')), 'cmaps')

test('packs each table with its name and its bytes', () => {
  const packed = packCharacterTables(directory)
  const start = packed.indexOf(10) + 1
  const sizes: Record<string, number> = JSON.parse(packed.subarray(0, start).toString())
  const names = readdirSync(directory).filter((name) => name.endsWith('.bcmap'))
  expect(Object.keys(sizes).map((name) => `${name}.bcmap`)).toEqual(names)
  let at = start
  for (const [name, size] of Object.entries(sizes)) {
    const bytes = readFileSync(join(directory, `${name}.bcmap`))
    expect([name, packed.subarray(at, at + size).equals(bytes)]).toEqual([name, true])
    at += size
  }
  expect(at).toBe(packed.length)
})

const rows: readonly [string, string, string, string, string][] = [
  ['Chinese', 'UniGB-UCS2-H', 'GB1', '5ba28239516b70b9', '客船八点'],
  ['Japanese', '90ms-RKSJ-H', 'Japan1', '938c8b9e', '東京'],
  ['Korean', 'KSCms-UHC-H', 'Korea1', 'c7d1b1db', '한글'],
]
test.each(rows)(
  'the built program reads %s letters from the packed tables',
  async (_, encoding, ordering, hex, text) => {
    const at = world()
    try {
      const bytes = compositePdf(Buffer.from(hex, 'hex'), { encoding, ordering })
      writeFileSync(join(at.dir, 'page.pdf'), bytes)
      const { out } = await at.anode(['tools', 'use', 'look_at', '--arg', 'path=page.pdf'])
      expect(out).toContain(text)
    } finally {
      at.remove()
    }
  },
)

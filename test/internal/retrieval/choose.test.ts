import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPassageReader } from '../../../internal/retrieval/choose.ts'
import { scratchWith } from '../../support/scratch.ts'

function filesOf(texts: Readonly<Record<string, string>>) {
  const root = scratchWith(texts)
  return Object.keys(texts).map((path) => ({ path, real: join(root, path) }))
}

it('reads small files once, and large ones again where they are asked for again', async () => {
  const line = 'The limit is 5 seconds.\n'
  const files = filesOf({ 'a.md': `# One\n\n${line.repeat(40)}`, 'b.md': line.repeat(40), 'c.md': line })
  const read = createPassageReader(files, 1_500)
  const first = await read(0)
  expect(first?.passages[0]).toMatchObject({ from: 1, heading: 'One' })
  const last = await read(2)
  expect(await read(0)).toBe(first)
  // the room is for one of the two large ones
  const second = await read(1)
  expect(await read(1)).toBe(second)
  expect(await read(2)).toBe(last)
  const again = await read(0)
  expect(again).not.toBe(first)
  expect({ ...again, units: again?.units() }).toEqual({ ...first, units: first?.units() })
  expect(await read(1)).not.toBe(second)
})

it('returns nothing for a deleted file', async () => {
  const files = filesOf({ 'a.md': 'It was here.\n' })
  rmSync(files[0]?.real ?? '')
  expect(await createPassageReader(files)(0)).toBeUndefined()
})

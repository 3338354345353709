// The chain: what is appended is read back, and every damage is found at its line.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appendEntry, parseLedger } from '../../../../internal/research/ledger/ledger.ts'
import { scratch } from '../../../support/scratch.ts'

async function filled(count: number) {
  const file = join(scratch(), 'ledger.jsonl')
  let ledger = parseLedger(new Uint8Array(), file)
  for (let i = 0; i < count; i++)
    ledger = await appendEntry(file, ledger, { type: i ? 'run' : 'config', µ: i } as { type: string })
  return { file, ledger, text: readFileSync(file, 'utf8') }
}
const parse = (text: string) => parseLedger(Buffer.from(text), 'L')

it('reads back what was appended', async () => {
  const { ledger, text } = await filled(4)
  expect(parse(text)).toEqual({ ...ledger, torn: Buffer.alloc(0) })
  expect(ledger.entries.map((entry) => entry.seq)).toEqual([1, 2, 3, 4])
  expect(ledger.entries[0]).toMatchObject({ prev: '', type: 'config', µ: 0 })
})

it('finds a changed, removed, doubled or moved line', async () => {
  const { text } = await filled(4)
  const [a, b, c, d] = text.trimEnd().split('\n')
  const join_ = (...lines: unknown[]) => `${lines.join('\n')}\n`
  expect(() => parse(text.replace('"µ":1', '"µ":9'))).toThrow('ledger damaged at L:3')
  expect(() => parse(join_(a, c, d))).toThrow('L:2')
  expect(() => parse(join_(a, b, b, c))).toThrow('L:3')
  expect(() => parse(join_(a, c, b, d))).toThrow('L:2')
  expect(() => parse(join_(a, 'not json', c))).toThrow('L:2')
})

it('sets a torn last line apart at every length', async () => {
  const { text, ledger } = await filled(2)
  const bytes = Buffer.from(text)
  const first = bytes.indexOf(10) + 1
  for (let cut = first; cut < bytes.length; cut++) {
    const read = parseLedger(bytes.subarray(0, cut), 'L')
    expect([read.entries.length, read.size, read.torn.length]).toEqual([1, first, cut - first])
  }
  expect(ledger.entries.length).toBe(2)
})

it('does not append behind what it has not read', async () => {
  const { file, ledger } = await filled(1)
  appendFileSync(file, 'x')
  await expect(appendEntry(file, ledger, { type: 'run' })).rejects.toThrow('changed by someone else')
})

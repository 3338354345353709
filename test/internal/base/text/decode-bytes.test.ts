// Every byte of the single-byte encodings against iconv, and characters that are cut.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { decodeBytes } from '../../../../internal/base/text/decode-bytes.ts'
import { decodeAnyText } from '../../../../internal/base/text/detect-encoding.ts'

const pages = [1250, 1251, 1252, 1253, 1254, 1256, 1257].map((page) => [page] as const)

test.each(pages)('windows-%d', (page) => {
  const high = Array.from({ length: 128 }, (_, i) => 128 + i)
  const isDefined = (byte: number) => {
    try {
      execFileSync('iconv', ['-f', `CP${page}`, '-t', 'UTF-8'], { input: Buffer.from([byte]), stdio: 'pipe' })
      return true
    } catch {
      return false
    }
  }
  const bytes = Buffer.from(high.filter((byte) => (page === 1252) === byte < 160 && isDefined(byte)))
  const wanted = execFileSync('iconv', ['-f', `CP${page}`, '-t', 'UTF-8'], { input: bytes }).toString()
  expect(decodeBytes(bytes, `windows-${page}`)).toBe(wanted)
  expect(decodeBytes(bytes, `windows-${page}`, { fatal: true })).toBe(wanted)
})

test.each([
  ['Café “Gull”, 99 €; Cœur – déjà vu'],
  ['Das Schloß kostet 99 € – „günstig“, sagt Müller'],
  ['L’œuvre d’été… “préférée” à 412 €'],
])('a Western text that does not name its encoding: %s', async (text) => {
  const bytes = execFileSync('iconv', ['-f', 'UTF-8', '-t', 'CP1252'], { input: `${text}\n`.repeat(3) })
  expect(await decodeAnyText(bytes)).toMatchObject({ text: `${text}\n`.repeat(3), encoding: 'windows-1252' })
})

test('skips or rejects a truncated character', () => {
  const bytes = Buffer.from('ä').subarray(0, 1)
  expect(decodeBytes(bytes, 'utf-8', { cut: true, fatal: true })).toBe('')
  expect(decodeBytes(bytes, 'utf-8')).toBe('\ufffd')
  expect(() => decodeBytes(bytes, 'utf-8', { fatal: true })).toThrow(TypeError)
  expect(() => decodeBytes(bytes, 'no-such')).toThrow(RangeError)
})

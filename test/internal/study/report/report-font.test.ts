// Fonts of reports: packed with a bundle, or as installed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readReportFont } from '../../../../internal/study/report/report-font.ts'
import { scratch } from '../../../support/scratch.ts'

it('is a TrueType file among the installed packages', () => {
  for (const name of ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSansMono'] as const)
    expect(readReportFont(name).readUInt32BE(0)).toBe(0x00010000)
})

it('is unpacked from the directory of the program, or its parent', () => {
  const dir = scratch()
  mkdirSync(join(dir, 'fonts'))
  mkdirSync(join(dir, 'chunk'))
  writeFileSync(join(dir, 'fonts', 'DejaVuSans.ttf.br'), brotliCompressSync(Buffer.from('letters')))
  for (const file of ['main.cjs', 'chunk/one.cjs']) {
    const from = pathToFileURL(join(dir, file)).href
    expect(readReportFont('DejaVuSans', from).toString()).toBe('letters')
  }
  expect(() => readReportFont('DejaVuSans-Bold', pathToFileURL(join(dir, 'main.cjs')).href)).toThrow()
})

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import { integrityOf, unpackArchive } from '../../../internal/study-eval/package-archive.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

/** Returns an archive as the programs of this machine pack it. */
function archiveOf(dir: string, ...options: string[]): Buffer {
  const file = join(scratch(), 'it.tgz')
  execFileSync('tar', ['czf', file, ...options, '-C', dir, 'package'])
  return readFileSync(file)
}

const long = `package/${'deep/'.repeat(50)}end.txt`

describe('an archive', () => {
  it.each([['--format=pax'], ['--format=gnu'], ['--format=ustar']])('of %s is unpacked', (format) => {
    const path = format === '--format=ustar' ? `package/${'deep/'.repeat(30)}end.txt` : long
    const from = scratchWith({ 'package/README.md': 'Read me.\n', [path]: 'far', 'package/empty': '' })
    symlinkSync('/etc/passwd', join(from, 'package/link'))
    const to = scratch()
    expect(unpackArchive(archiveOf(from, format), to)).toBe(3)
    expect(readFileSync(join(to, 'README.md'), 'utf8')).toBe('Read me.\n')
    expect(readFileSync(join(to, path.slice('package/'.length)), 'utf8')).toBe('far')
    expect(readFileSync(join(to, 'empty'), 'utf8')).toBe('')
    expect(existsSync(join(to, 'link'))).toBe(false)
  })

  it('cannot write outside of the directory', () => {
    const from = scratchWith({ 'package/x.txt': 'x' })
    const to = join(scratch(), 'inside')
    mkdirSync(to)
    const archive = archiveOf(from, '-P', '--transform=s,package/x.txt,package/../../x.txt,')
    expect(() => unpackArchive(archive, to)).toThrow(FailureError)
    expect(existsSync(join(to, '..', 'x.txt'))).toBe(false)
  })

  it('is rejected if it is damaged', () => {
    const whole = archiveOf(scratchWith({ 'package/x.txt': 'x'.repeat(2000) }))
    expect(() => unpackArchive(whole.subarray(0, 40), scratch())).toThrow(/cannot be unpacked/)
    expect(() => unpackArchive(Buffer.from('no archive'), scratch())).toThrow(/cannot be unpacked/)
    const header = Buffer.alloc(512)
    header.write('package/x.txt')
    header.write('00000003720\0', 124)
    header.write('0', 156)
    expect(() => unpackArchive(gzipSync(header), scratch())).toThrow(/in the middle of a file/)
  })
})

it('has the hash that a lock file has', () => {
  // echo -n x | openssl dgst -sha512 -binary | base64 -w0
  expect(integrityOf(Buffer.from('x'))).toBe(
    'sha512-pKvURIxJVi2CgRXROh/M6pJ/UrTVRZKX+LQ+QtqJI4vBNibkPcs43bCCSIkn7JBPtCBXRDmD6IWFF51QVRr+Yg==',
  )
})

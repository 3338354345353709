// Opening regular files only, where they were judged to be.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import {
  isAt,
  isRunnable,
  openPlain,
  readPrefix,
  readSmall,
} from '../../../../internal/base/files/open-file.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

function codeFrom(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    return error instanceof FailureError ? error.failure.code : String(error)
  }
  return undefined
}

async function prefix(path: string, limit: number) {
  const opened = openPlain(path)
  try {
    const { bytes, whole } = await readPrefix(opened, limit)
    return { text: bytes.toString(), whole }
  } finally {
    closeSync(opened.fd)
  }
}

describe('openPlain', () => {
  it('rejects anything but a regular file, and never waits', async () => {
    const dir = scratchWith({ file: 'x' })
    execFileSync('mkfifo', [join(dir, 'pipe')])
    symlinkSync('file', join(dir, 'link'))
    symlinkSync('nowhere', join(dir, 'dangling'))
    const server = createServer().listen(join(dir, 'socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    const codes = ['file', 'pipe', 'socket', 'link', 'dangling', '.', 'none', 'file/x'].map((name) => [
      name,
      codeFrom(() => closeSync(openPlain(join(dir, name)).fd)),
    ])
    server.close()
    expect(Object.fromEntries(codes)).toEqual({
      file: undefined,
      pipe: 'io',
      socket: 'io',
      link: 'outside_workspace',
      dangling: 'outside_workspace',
      '.': 'is_directory',
      none: 'not_found',
      'file/x': 'not_a_directory',
    })
    expect(codeFrom(() => openPlain('/dev/zero'))).toBe('io')
  })

  it('rejects a file reached through a directory that became a link', () => {
    const dir = scratchWith({ 'in/file': 'mine', 'out/file': 'other' })
    renameSync(join(dir, 'in'), join(dir, 'was'))
    symlinkSync('out', join(dir, 'in'))
    expect(codeFrom(() => openPlain(join(dir, 'in', 'file')))).toBe('outside_workspace')
  })

  it('takes names of every kind', async () => {
    const dir = scratch()
    for (const name of [
      'new\nline',
      'quo"te',
      "it's",
      '-rf',
      ' ',
      'x (deleted)',
      'ünï',
      '🙂',
      '\\',
      '\u202e',
    ]) {
      writeFileSync(join(dir, name), name)
      expect(await prefix(join(dir, name), 100)).toEqual({ text: name, whole: true })
    }
  })
})

describe('isAt', () => {
  it('accepts a file that was replaced or has more names, but not one in another directory', () => {
    const dir = scratchWith({ a: '1', b: '2' })
    mkdirSync(join(dir, 'sub'))
    linkSync(join(dir, 'a'), join(dir, 'sub', 'a'))
    const { fd, stat } = openPlain(join(dir, 'a'))
    expect(isAt(fd, join(dir, 'a'), stat)).toBe(true)
    expect(isAt(fd, join(dir, 'sub', 'a'), stat)).toBe(false)
    renameSync(join(dir, 'b'), join(dir, 'a'))
    expect(isAt(fd, join(dir, 'a'), stat)).toBe(true)
    closeSync(fd)
  })
})

describe('readPrefix', () => {
  it.each<[string, number, string, boolean]>([
    ['', 4, '', true],
    ['abc', 4, 'abc', true],
    ['abcd', 4, 'abcd', true],
    ['abcde', 4, 'abcd', false],
  ])('%j within %i', async (content, limit, text, whole) => {
    const dir = scratchWith({ f: content })
    expect(await prefix(join(dir, 'f'), limit)).toEqual({ text, whole })
  })

  it.runIf(process.platform === 'linux')('reads files whose size the system does not know', async () => {
    const { text, whole } = await prefix(`/proc/${process.pid}/status`, 1 << 20)
    expect(text).toMatch(/^Name:/)
    expect(whole).toBe(true)
  })

  it('takes no more than the prefix of a huge file', async () => {
    const dir = scratch()
    closeSync(openSync(join(dir, 'huge'), 'w'))
    truncateSync(join(dir, 'huge'), 2 ** 31)
    const before = process.memoryUsage().arrayBuffers
    const opened = openPlain(join(dir, 'huge'))
    const { bytes, whole } = await readPrefix(opened, 1 << 21)
    closeSync(opened.fd)
    expect([bytes.length, whole]).toEqual([1 << 21, false])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20)
  })
})

// Files of the size of a configuration: accepted files, and files that are rejected without hanging.

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-small-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

const write = (name: string, data: string | Uint8Array) => {
  writeFileSync(join(dir, name), data)
  return join(dir, name)
}

test('reads text, without byte order mark and with plain line ends', () => {
  expect(readSmall(write('a', '\uFEFFone\r\ntwo\n'))).toBe('one\ntwo\n')
  expect(readSmall(write('empty', ''))).toBe('')
  symlinkSync(join(dir, 'a'), join(dir, 'link'))
  expect(readSmall(join(dir, 'link'))).toBe('one\ntwo\n')
})

test('returns undefined for a missing file', () => {
  expect(readSmall(join(dir, 'nothing'))).toBeUndefined()
  expect(readSmall(join(dir, 'a', 'below-a-file'))).toBeUndefined()
})

test('accepts exactly the limit and rejects one byte more', () => {
  expect(readSmall(write('ten', '0123456789'), 10)).toHaveLength(10)
  expect(() => readSmall(join(dir, 'ten'), 9)).toThrow('has 10 bytes, more than 9')
})

test('rejects anything but a regular UTF-8 file, and a named pipe without waiting', () => {
  mkdirSync(join(dir, 'folder'))
  expect(() => readSmall(join(dir, 'folder'))).toThrow('not a regular file')
  execFileSync('mkfifo', [join(dir, 'pipe')])
  expect(() => readSmall(join(dir, 'pipe'))).toThrow('not a regular file')
  expect(() => readSmall(write('latin', Uint8Array.of(0x66, 0xfc, 0x72)))).toThrow('not UTF-8')
})

test.runIf(process.platform === 'linux')('a file that is larger than its reported size is truncated', () => {
  expect(() => readSmall('/proc/self/status', 10)).toThrow('larger than 10 bytes')
})

// Executable files: files with the bit, also through links, and nothing else.

test('accepts executable files, and nothing else', () => {
  const dir = scratch()
  const at = (name: string) => join(dir, name)
  writeFileSync(at('program'), '')
  chmodSync(at('program'), 0o755)
  writeFileSync(at('text'), '')
  mkdirSync(at('folder'))
  symlinkSync('program', at('link'))
  symlinkSync('nothing', at('dangling'))
  symlinkSync('loop', at('loop'))
  const names = ['program', 'text', 'folder', 'link', 'dangling', 'loop', 'absent', 'text/below']
  expect(names.filter((name) => isRunnable(at(name)))).toEqual(['program', 'link'])
})

// Named pipes as the two ends that a child and we hold.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { inputFile, makePipes } from '../../../../internal/process/output/child-pipes.ts'
import { scratch } from '../scratch.ts'

test('a pipe carries the output of a child, ends with the child and leaves no file', async () => {
  const dir = scratch()
  const pipes = makePipes(dir, 'linux')
  for (let i = 0; i < 10; i++) {
    const pipe = await pipes.next()
    if (!pipe) throw new Error('no pipe')
    spawn('sh', ['-c', `echo ${i} > /dev/stdout`], { stdio: ['ignore', pipe.writer, 'inherit'] })
    closeSync(pipe.writer)
    expect(await text(pipe.reader)).toBe(`${i}\n`)
  }
  await pipes.idle()
  expect(readdirSync(dir).length).toBeLessThanOrEqual(32)
})

test('no pipes exist where they cannot be created or on other systems', async () => {
  const dir = scratch()
  writeFileSync(join(dir, 'file'), '')
  expect(await makePipes(join(dir, 'file'), 'linux').next()).toBeUndefined()
  expect(await makePipes(dir, 'darwin').next()).toBeUndefined()
  expect(readdirSync(dir)).toEqual(['file'])
})

test('an input file has no name in its directory', () => {
  const dir = join(scratch(), 'x')
  mkdirSync(dir)
  const fd = inputFile(dir, 'input.1', 'hello')
  expect(readdirSync(dir)).toEqual([])
  expect(readFileSync(fd, 'utf8')).toBe('hello')
  closeSync(fd)
})

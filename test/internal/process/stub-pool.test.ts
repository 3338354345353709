// Directories that reserve names are used again, and nothing else is moved, with several processes at once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { makeStubs, removeLeftStubs, removeStubs } from '../../../internal/process/left-stubs.ts'
import { StubPool } from '../../../internal/process/stub-pool.ts'
import { scratch } from '../../support/scratch.ts'

function place() {
  const base = scratch()
  const work = join(base, 'work')
  const run = join(base, 'data/runs/one')
  for (const dir of [work, run]) mkdirSync(dir, { recursive: true })
  const paths = Array.from({ length: 20 }, (_, i) => join(work, `.n${i}`))
  return { base, work, run, paths, pool: join(base, 'data/stubs') }
}

test('reuses the directories of the previous command', () => {
  const { run, paths, work, pool } = place()
  const inodes = () => paths.map((path) => lstatSync(path).ino).sort()
  expect(makeStubs(run, 1, paths)).toEqual(paths)
  const first = inodes()
  removeStubs(run, 1)
  expect(readdirSync(work)).toEqual([])
  for (let i = 2; i < 6; i++) {
    expect(makeStubs(run, i, paths)).toEqual(paths)
    expect(inodes()).toEqual(first)
    removeStubs(run, i)
  }
  expect(readdirSync(work)).toEqual([])
  expect(readdirSync(pool)).toHaveLength(paths.length)
})

test('keeps existing paths, and stubs that contain entries', () => {
  const { run, paths, work } = place()
  makeStubs(run, 1, paths)
  removeStubs(run, 1)
  const [directory = '', file = '', filled = ''] = paths
  mkdirSync(directory)
  writeFileSync(file, 'mine')
  const { ino } = lstatSync(directory)
  expect(makeStubs(run, 2, paths)).toEqual(paths.slice(2))
  expect(lstatSync(directory).ino).toBe(ino)
  writeFileSync(join(filled, 'made'), 'by another program')
  removeStubs(run, 2)
  expect(readdirSync(work).sort()).toEqual(['.n0', '.n1', '.n2'])
  expect(readdirSync(filled)).toEqual(['made'])
})

test('a dead run that used pooled directories leaves nothing', () => {
  const { run, paths, work } = place()
  makeStubs(run, 1, paths)
  removeStubs(run, 1)
  makeStubs(run, 2, paths)
  removeLeftStubs(run)
  expect(readdirSync(work)).toEqual([])
})

test('breaks the lock of a dead process, and creates a path that a pooled directory cannot be moved to', () => {
  const { base, run, paths, pool, work } = place()
  makeStubs(run, 1, paths)
  removeStubs(run, 1)
  writeFileSync(join(pool, 'lock'), '')
  utimesSync(join(pool, 'lock'), 1, 1)
  expect(makeStubs(run, 2, paths)).toEqual(paths)
  expect(existsSync(join(pool, 'lock'))).toBe(false)
  removeStubs(run, 2)
  expect(readdirSync(work)).toEqual([])
  expect(StubPool.place(join(base, 'missing'), join(work, 'x'))).toBe(false)
})

test('a busy process keeps its lock as long as it lives, and a dead one loses it', {
  timeout: 60_000,
}, async () => {
  const { run, paths, pool } = place()
  makeStubs(run, 1, paths)
  removeStubs(run, 1)
  const lock = join(pool, 'lock')
  const source = join(process.cwd(), 'internal/base/process-identity.ts')
  const entry = join(run, 'identity.mjs')
  await build({ entryPoints: [source], outfile: entry, bundle: true, platform: 'node', format: 'esm' })
  const program = `
    const { processIdentity } = await import(${JSON.stringify(entry)})
    const { unlinkSync, utimesSync, writeFileSync } = await import('node:fs')
    const lock = ${JSON.stringify(lock)}
    writeFileSync(lock, processIdentity())
    utimesSync(lock, 1, 1)
    console.log('held')
    if (process.argv[1] === 'live') setTimeout(() => unlinkSync(lock), 1500)`
  const hold = (end: string) => {
    const words = ['--input-type=module', '-e', program, end]
    return spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  const dead = hold('dead')
  await once(dead, 'close')
  const begun = Date.now()
  expect(makeStubs(run, 2, paths)).toEqual(paths)
  expect(Date.now() - begun).toBeLessThan(1400)
  expect(existsSync(lock)).toBe(false)
  const live = hold('live')
  await once(live.stdout, 'data')
  removeStubs(run, 2)
  // the lock was free only after the other process had removed it
  expect(existsSync(lock)).toBe(false)
  expect(readdirSync(pool)).toHaveLength(paths.length)
  await once(live, 'close')
})

test('several processes share the pool and leave no files', { timeout: 60_000 }, async () => {
  const { base, paths, work } = place()
  const source = join(base, 'left-stubs.mjs')
  const entryPoints = [join(process.cwd(), 'internal/process/left-stubs.ts')]
  await build({ entryPoints, outfile: source, bundle: true, platform: 'node', format: 'esm' })
  const program = `
    const { makeStubs, removeStubs } = await import(${JSON.stringify(source)})
    const { existsSync, mkdirSync } = await import('node:fs')
    const [run, paths] = [process.argv[1], ${JSON.stringify(paths)}]
    mkdirSync(run, { recursive: true })
    for (let i = 0; i < 60; i++) {
      makeStubs(run, i, paths)
      if (!paths.every((path) => existsSync(path))) throw new Error('a name was free')
      removeStubs(run, i)
    }`
  const ends = ['a', 'b', 'c'].map(
    (name) =>
      new Promise<[number | null, string]>((resolve) => {
        const words = ['--input-type=module', '-e', program, join(base, 'data/runs', name)]
        const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] })
        let errors = ''
        child.stderr.on('data', (chunk) => {
          errors += chunk
        })
        child.on('close', (code) => resolve([code, errors]))
      }),
  )
  expect(await Promise.all(ends)).toEqual([0, 0, 0].map((code) => [code, '']))
  expect(readdirSync(work)).toEqual([])
})

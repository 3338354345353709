// The modules that a start may load, counted because times depend on the machine.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { root } from '../support/sources.ts'

const dist = join(root, 'dist')
let w: World
beforeAll(() => {
  w = world()
  w.put('short.txt', 'one\n')
  w.put(
    'hook.cjs',
    "process.on('exit', () => require('node:fs').writeSync(2, process.moduleLoadList.join('\\n')))",
  )
})
afterAll(() => w.remove())

/** Returns the output of the hook at the end of this start; default: the loaded modules of Node. */
function loaded(words: readonly string[], hook = './hook.cjs'): string[] {
  const script = `exec "$0" -r ${hook} "$@" 2>&1 >/dev/null | cat`
  const out = execFileSync('sh', ['-c', script, process.execPath, join(dist, 'anode.cjs'), ...words], {
    cwd: w.dir,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: w.dir, ANODE_DATA_DIR: w.data },
  })
  return out.split('\n').map((line) => line.replace('NativeModule ', ''))
}

/** Modules that take a millisecond or more each. */
const slow = [
  'crypto',
  'zlib',
  'perf_hooks',
  'net',
  'fs/promises',
  'readline',
  'child_process',
  'worker_threads',
  'os',
]

test.each([['use', 'read', '--arg', 'path=short.txt'], ['list'], ['show', 'read']])(
  'tools %s loads no module of Node that it does not need',
  (...words) => {
    const modules = loaded(['tools', ...words])
    expect(modules).toContain('fs')
    expect(slow.filter((name) => modules.includes(name))).toEqual([])
  },
)

test.each([
  ['grep', 'pattern=one'],
  ['glob', 'pattern=*.txt'],
])('%s loads the modules that start a program, and no other slow module of Node', (tool, arg) => {
  const modules = loaded(['tools', 'use', tool, '--arg', arg])
  expect(slow.filter((name) => modules.includes(name)).sort()).toEqual(['child_process', 'net', 'os'])
})

test('a run whose model calls no tool loads nothing that starts or sandboxes programs', () => {
  w.put('replies.jsonl', '{"text":"Done."}\n')
  const run = () => loaded(['execute', 'go', '--quiet', '--model', 'script:replies.jsonl'])
  // the first run of a day checks whether the machine has a sandbox
  run()
  const modules = run()
  expect(modules).toContain('fs')
  const programs = ['child_process', 'crypto', 'dns/promises', 'worker_threads']
  expect(programs.filter((name) => modules.includes(name))).toEqual([])
})

/** Returns the code of a file of dist/, which may be stored compressed. */
function readCode(file: string): string {
  const path = join(dist, file)
  if (existsSync(path)) return readFileSync(path, 'latin1')
  return brotliDecompressSync(readFileSync(`${path}.br`)).toString('latin1')
}

test('a read loads nothing of toolsets, and a read under another name does', () => {
  const load = JSON.stringify(join(dist, 'load.cjs'))
  w.put('files.cjs', `process.on('exit', () => console.error(require(${load}).files().join('\\n')))`)
  const holdsToolsets = (...more: string[]) =>
    loaded(['tools', 'use', 'read', '--arg', 'path=short.txt', ...more], './files.cjs')
      .filter((file) => /^(?:chunk|pack)/.test(file))
      .map(readCode)
      // the description of a set, and the messages of the code that opens one
      .filter((code) => /Four tools that take one call|--tool and --extra-tool exclude each other/.test(code))
      .length
  expect(holdsToolsets('--toolset', 'ah')).toBeGreaterThan(0)
  expect(holdsToolsets()).toBe(0)
})

test('the number of chunks of a read stays small', () => {
  const packs = JSON.parse(readFileSync(join(dist, 'packs.json'), 'utf8')) as Record<string, string>
  const first = packs[Object.keys(packs)[0] as string]
  expect(first).toBe('pack-0')
  // A larger pack probably contains a package that another command needs. Import that package where
  // it is used.
  expect(statSync(join(dist, 'pack-0.js')).size).toBeLessThan(281_000)
})

test('V8 accepts the code cache of every pack, and compiles nothing of them at the start', () => {
  const hook = `const vm = require('node:vm')
    const Script = vm.Script
    vm.Script = class extends Script {
      constructor(code, options) {
        super(code, options)
        const before = options.cachedData.length
        process.on('exit', () => {
          const grown = this.createCachedData().length - before
          console.error([options.filename.slice(-9), this.cachedDataRejected, grown].join(' '))
        })
      }
    }`
  w.put('cache.cjs', hook)
  const packs = loaded(['tools', 'use', 'grep', '--arg', 'pattern=one'], './cache.cjs').filter(Boolean)
  expect(packs.map((line) => line.split(' ')[1])).toEqual(packs.map(() => 'false'))
  expect(packs.length).toBeGreaterThan(1)
  for (const line of packs) expect(Number(line.split(' ')[2])).toBeLessThan(10_000)
})

test('every pack is ASCII, as which it is read', () => {
  const packs = readdirSync(dist).filter((name) => /^pack-\d+\.js$/.test(name))
  expect(packs.length).toBeGreaterThan(1)
  const other = packs.filter((name) => readFileSync(join(dist, name)).some((byte) => byte > 0x7f))
  expect(other).toEqual([])
})

test('regular expressions of the program match letters beyond ASCII', async () => {
  w.put('lock.md', 'A lock of the store is held for at most 30 seconds.\n')
  w.put('plan.json', JSON.stringify({ tasks: [{ objective: 'find how long a lock is held' }] }))
  const place = { evidence: 'E1.1', quote: 'A lock of the store […] 30 seconds.' }
  const replies = [
    { task: 't1', calls: [{ name: 'read', args: { path: 'lock.md' } }] },
    { task: 't1', claims: [{ text: 'A lock is held for at most 30 seconds.', places: [place] }] },
    { task: 'report', text: '## Answer\n\nA lock is held for 30 seconds [C1.1].\n' },
  ]
  w.put('script.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const flags = ['--model', 'script:script.jsonl', '--plan', 'plan.json', '--json', '--quiet']
  const done = await w.anode(['study', 'How long is a lock held?', '--in-process', ...flags])
  expect(JSON.parse(done.out).claims, done.err).toMatchObject([{ state: 'verified' }])
})

test('a ready-made answer ends quietly if the reader closes the pipe', async () => {
  const child = spawn(process.execPath, [join(dist, 'anode.cjs'), '--version'])
  // long before it has started
  child.stdout.destroy()
  const said = text(child.stderr)
  expect(await once(child, 'close')).toEqual([0, null])
  expect(await said).toBe('')
})

// What a start may load: counted, because times depend on the machine.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
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

/** Node's own modules that this start has loaded. */
function loaded(...words: string[]): string[] {
  const script = 'exec "$0" -r ./hook.cjs "$@" 2>&1 >/dev/null | cat'
  const out = execFileSync('sh', ['-c', script, process.execPath, join(dist, 'anode.cjs'), ...words], {
    cwd: w.dir,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: w.dir, ANODE_DATA_DIR: w.data },
  })
  return out.split('\n').map((line) => line.replace('NativeModule ', ''))
}

/** Each of them takes a millisecond or more. */
const slow = [
  'crypto',
  'zlib',
  'perf_hooks',
  'net',
  'fs/promises',
  'readline',
  'child_process',
  'worker_threads',
]

test.each([['use', 'read', '--arg', 'path=short.txt'], ['list'], ['show', 'read']])(
  'tools %s loads no module of Node that it does not need',
  (...words) => {
    const modules = loaded('tools', ...words)
    expect(modules).toContain('fs')
    expect(slow.filter((name) => modules.includes(name))).toEqual([])
  },
)

test('the chunks of a read stay few', () => {
  const packs = JSON.parse(readFileSync(join(dist, 'packs.json'), 'utf8')) as Record<string, string>
  const first = packs[Object.keys(packs)[0] as string]
  expect(first).toBe('pack-0')
  // one that is larger has most likely got a package that another command needs: import that where it is used
  expect(statSync(join(dist, 'pack-0.js')).size).toBeLessThan(305_000)
})

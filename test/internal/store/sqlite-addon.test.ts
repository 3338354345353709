// The native SQLite of the program: unpacked once into the cache directory, and used where that fails, too.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addonTarget, loadSqliteAddon } from '../../../internal/store/sqlite-addon.ts'
import { root } from '../../support/sources.ts'

let base: string
let program: string
let cache: string
let temporary: string
const name = readdirSync(join(root, 'dist/sqlite')).find((file) =>
  file.endsWith(`${addonTarget()}.br`),
) as string
const unpacked = () => join(cache, 'anode', 'sqlite', name.slice(0, -'.br'.length))

const child = `
import { loadSqliteAddon } from ${JSON.stringify(join(root, 'internal/store/sqlite-addon.ts'))}
try {
  const { DatabaseSync } = loadSqliteAddon()
  console.log(new DatabaseSync(':memory:').prepare('SELECT 6 * 7 AS n').get().n)
} catch (error) {
  console.log(error.message + '\\n' + error.hint)
}`

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'anode-addon-'))
  program = join(base, 'program', 'child.mjs')
  await build({
    stdin: { contents: child, resolveDir: root, loader: 'js' },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  mkdirSync(join(base, 'program', 'sqlite'))
  writeFileSync(join(base, 'program', 'sqlite', name), readFileSync(join(root, 'dist/sqlite', name)))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))
beforeEach(() => {
  const own = mkdtempSync(join(base, 'try-'))
  cache = join(own, 'cache')
  temporary = join(own, 'tmp')
  mkdirSync(temporary)
})

/** Runs the bundle in a process. Resolves with its output. */
async function run(file = program): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: base, XDG_CACHE_HOME: cache, TMPDIR: temporary }
  const started = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  started.stdout.on('data', (part) => {
    out += part
  })
  await once(started, 'close')
  return out.trim()
}

test('unpacks once, for this user alone, and reads the same file later', async () => {
  expect(await run()).toBe('42')
  const { mode, ino } = statSync(unpacked())
  expect([mode & 0o777, statSync(join(cache, 'anode')).mode & 0o777]).toEqual([0o500, 0o700])
  expect(await run()).toBe('42')
  expect(statSync(unpacked()).ino).toBe(ino)
  expect(readdirSync(join(cache, 'anode', 'sqlite'))).toHaveLength(1)
})

test('eight processes at once leave one file', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => run()))
  expect(answers).toEqual(Array(8).fill('42'))
  expect(readdirSync(join(cache, 'anode', 'sqlite'))).toHaveLength(1)
})

test.each<[string, () => void]>([
  ['a file that others may write', () => put(unpacked(), 0o666)],
  ['a damaged module', () => put(unpacked(), 0o500)],
  [
    'a link',
    () => {
      prepare()
      symlinkSync(put(`${temporary}/elsewhere`, 0o600), unpacked())
    },
  ],
  ['a half-written file of a killed process', () => old(put(`${unpacked()}.123.456`, 0o500))],
])('replaces %s', async (_, arrange) => {
  arrange()
  expect(await run()).toBe('42')
  expect(statSync(unpacked()).mode & 0o777).toBe(0o500)
  expect(readdirSync(join(cache, 'anode', 'sqlite'))).toHaveLength(1)
})

test.each<[string, () => void]>([
  ['is a file', () => writeFileSync(cache, '')],
  ['has a directory of that name', () => mkdirSync(unpacked(), { recursive: true })],
])('uses a temporary directory and removes it if the cache %s', async (_, arrange) => {
  arrange()
  expect(await run()).toBe('42')
  expect(readdirSync(temporary).filter((entry) => entry.startsWith('anode-sqlite'))).toEqual([])
})

test('names the directories if both cannot be used', async () => {
  writeFileSync(cache, '')
  rmSync(temporary, { recursive: true })
  const [message, hint] = (await run()).split('\n')
  expect(message).toMatch(/^SQLite cannot be loaded: ENOENT/)
  expect(hint).toMatch(/XDG_CACHE_HOME.*TMPDIR.*Node 22\.16/)
})

test('a damaged program is an error with the next step, and leaves nothing', async () => {
  const broken = join(base, 'broken')
  mkdirSync(join(broken, 'sqlite'), { recursive: true })
  writeFileSync(join(broken, 'child.mjs'), readFileSync(program))
  writeFileSync(join(broken, 'sqlite', name), readFileSync(join(root, 'dist/sqlite', name)).subarray(0, 5000))
  expect(await run(join(broken, 'child.mjs'))).toMatch(/^SQLite cannot be loaded: .+\n.*Node 22\.16/)
  expect([readdirSync(join(cache, 'anode', 'sqlite')), readdirSync(temporary)]).toEqual([[], []])
})

test('a machine without a module is an error that names it', () => {
  const foreign = join(base, 'foreign', 'sqlite')
  mkdirSync(foreign, { recursive: true })
  writeFileSync(join(foreign, '1.2.1-linux-other.node.br'), '')
  const from = pathToFileURL(join(base, 'foreign', 'x.mjs')).href
  expect(() => loadSqliteAddon(from)).toThrow(`Anode has none for ${addonTarget().slice(0, -'.node'.length)}`)
})

test('the program has a module for each machine of the manual', () => {
  const packed = readdirSync(join(root, 'dist/sqlite')).filter((file) => file.endsWith('.br'))
  const machines = packed.map((file) => file.replace(/^[\d.]+-|\.node\.br$/g, '')).sort()
  expect(machines).toEqual([
    ...['darwin-arm64', 'darwin-x64', 'linux-arm64-glibc', 'linux-arm64-musl'],
    ...['linux-x64-glibc', 'linux-x64-musl'],
  ])
})

function prepare(): void {
  mkdirSync(join(cache, 'anode', 'sqlite'), { recursive: true })
}

/** Writes a file without a module, and returns its path. */
function put(path: string, mode: number): string {
  if (!existsSync(path)) prepare()
  writeFileSync(path, 'no module')
  chmodSync(path, mode)
  return path
}

function old(path: string): void {
  utimesSync(path, 1000, 1000)
}

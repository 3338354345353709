// Directories follow XDG, absolute paths only, and ANODE_DATA_DIR. The home directory comes from the environment
// or from the system. Built-in files are found from the sources and from both locations of the bundle.

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { homedir as systemHome, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it, test } from 'vitest'
import {
  cacheDir,
  configDir,
  dataDir,
  findBuiltin,
  homeDir,
  leadsOutside,
} from '../../../internal/base/dirs.ts'
import { temporaryDir } from '../../../internal/base/files/temporary-dir.ts'
import { readPluginSettings } from '../../../internal/runtime/extensions/plugins.ts'
import { rng } from '../../support/rng.ts'
import { scratchWith } from '../../support/scratch.ts'

it.each([
  [{}, ['.config/anode', '.local/share/anode', '.cache/anode'].map((path) => join(systemHome(), path))],
  [
    { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/e' },
    ['/c/anode', '/d/anode', '/e/anode'],
  ],
  [
    { XDG_CONFIG_HOME: 'c', ANODE_DATA_DIR: '/here' },
    [join(systemHome(), '.config/anode'), '/here', join(systemHome(), '.cache/anode')],
  ],
])('finds the directories for %j', (env, dirs) => {
  expect([configDir(env), dataDir(env), cacheDir(env)]).toEqual(dirs)
})

const before = process.env.HOME
afterEach(() => {
  process.env.HOME = before
})

it('prefers HOME to the home directory of the system account', () => {
  process.env.HOME = '/somewhere'
  expect(homeDir()).toBe('/somewhere')
  process.env.HOME = ''
  expect(homeDir()).toBe(systemHome())
  delete process.env.HOME
  expect(homeDir()).toBe(systemHome())
})

// One directory for each process, below the temporary directory of the system, by its real path.

test('returns the same directory each time, in the temporary directory of the system', () => {
  const path = temporaryDir() as string
  expect(temporaryDir()).toBe(path)
  expect(isAbsolute(path)).toBe(true)
  expect(dirname(path)).toBe(realpathSync(tmpdir()))
})

const names = ['a', '..', '...', '..a', '.', '.a', 'a..', '..a/..']

it('agrees with the absolute paths for every name that begins with dots', () => {
  const random = rng(7)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = () =>
    join('/', ...Array.from({ length: 1 + below(4) }, () => names[below(names.length)] as string))
  for (let i = 0; i < 5_000; i++) {
    const [dir, path] = [pick(), pick()]
    const isInside = path === dir || path.startsWith(dir === '/' ? dir : `${dir}/`)
    expect([dir, path, leadsOutside(relative(dir, path))]).toEqual([dir, path, !isInside])
  }
})

it.each([
  ['..tools/plug', true],
  ['.../plug', true],
  ['../plug', false],
  ['/elsewhere/plug', false],
])('the plugin %s counts as a part of the workspace: %s', (path, isInside) => {
  const loaded = { config: {}, origins: new Map(), notes: [] }
  const context = { workspace: '/work', data: '/data', trusted: true, loaded, env: {} } as never
  const { settings, notes } = readPluginSettings(context, [path])
  expect(settings.map(({ own }) => own)).toEqual(isInside ? [] : [false])
  expect(notes.join()).toMatch(isInside ? /only plugins below \.anode or \.agents are used/ : /^$/)
})

test.each([
  ['dist/anode.cjs', 'dist/profiles.json'],
  ['dist/chunk/a.mjs', 'dist/profiles.json'],
  ['internal/base/dirs.ts', undefined],
])('finds built-in profiles from %s', (file, json) => {
  const top = scratchWith({ 'package.json': '{}' })
  mkdirSync(join(top, 'dist'))
  writeFileSync(join(top, 'dist/profiles.json'), '[]')
  expect(findBuiltin('profiles', pathToFileURL(join(top, file)).href)).toEqual({
    json: json && join(top, json),
    dir: join(top, 'profiles'),
  })
})

test('the directories of this package exist', () => {
  expect(findBuiltin('profiles').dir).toMatch(/\/profiles$/)
})

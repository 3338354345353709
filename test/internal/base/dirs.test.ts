// Directories follow XDG, absolute paths only, and ANODE_DATA_DIR. The home directory comes from the environment
// or from the system.

import { realpathSync } from 'node:fs'
import { homedir as systemHome, tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { afterEach, expect, it, test } from 'vitest'
import { cacheDir, configDir, dataDir, homeDir } from '../../../internal/base/dirs.ts'
import { temporaryDir } from '../../../internal/base/files/temporary-dir.ts'

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

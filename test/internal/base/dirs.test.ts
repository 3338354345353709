// Directories follow XDG, absolute paths only, and ANODE_DATA_DIR. The home directory comes from the environment
// or from the system.
import { homedir as systemHome } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { cacheDir, configDir, dataDir, homeDir } from '../../../internal/base/dirs.ts'

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

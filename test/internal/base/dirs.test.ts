// Directories follow XDG, absolute paths only, and ANODE_DATA_DIR.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cacheDir, configDir, dataDir } from '../../../internal/base/dirs.ts'

it.each([
  [{}, ['.config/anode', '.local/share/anode', '.cache/anode'].map((path) => join(homedir(), path))],
  [
    { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/e' },
    ['/c/anode', '/d/anode', '/e/anode'],
  ],
  [
    { XDG_CONFIG_HOME: 'c', ANODE_DATA_DIR: '/here' },
    [join(homedir(), '.config/anode'), '/here', join(homedir(), '.cache/anode')],
  ],
])('finds the directories for %j', (env, dirs) => {
  expect([configDir(env), dataDir(env), cacheDir(env)]).toEqual(dirs)
})

// The home directory of test files: empty, so that no file of the current user is read or written.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variables that lead programs to the user's files instead of the home directory. */
const elsewhere = [
  'ANODE_CONFIG',
  'ANODE_DATA_DIR',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
]

/**
 * Makes an empty directory the home directory of this process and its children. Each worker has
 * a different one.
 */
export function makeTestHome(): string {
  const home = join(
    process.env.ANODE_TEST_TEMP ?? tmpdir(),
    `home-${process.env.VITEST_POOL_ID ?? process.pid}`,
  )
  mkdirSync(home, { recursive: true })
  process.env.HOME = home
  for (const name of elsewhere) delete process.env[name]
  return home
}

/** Returns the paths of files below `home`, which is empty afterwards. */
export function listHomeWrites(home: string): string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true, encoding: 'utf8' })
  const files = entries.filter((entry) => !entry.isDirectory())
  if (entries.length === 0) return []
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
}

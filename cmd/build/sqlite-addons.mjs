// The native SQLite modules that the program brings for Node before 22.16.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Machines that Anode supports, as the package names its directories and files. */
const machines = [
  ['linux-x64', 'glibc'],
  ['linux-x64', 'musl'],
  ['linux-arm64', 'glibc'],
  ['linux-arm64', 'musl'],
  ['darwin-x64', 'glibc'],
  ['darwin-arm64', 'glibc'],
]

/**
 * Returns the module of each machine: `path` in the package, `name` in `dist/sqlite/`, and whether it is that
 * of this machine. On Linux two of them are, for glibc and musl.
 */
export function sqliteAddons(root) {
  const require = createRequire(join(root, 'package.json'))
  const manifest = require.resolve('@photostructure/sqlite/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  return machines.map(([machine, library]) => ({
    name: `${version}-${machine}${machine.startsWith('linux') ? `-${library}` : ''}.node`,
    path: join(dirname(manifest), 'prebuilds', machine, `@photostructure+sqlite.${library}.node`),
    isHere: machine === `${process.platform}-${process.arch}`,
  }))
}

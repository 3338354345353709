// Recognition of files that programs generate and that reviewers do not read line by line, by their path or
// by very long lines in their diff.

export type GeneratedKind = 'lockfile' | 'snapshot' | 'minified' | 'vendored'

/** Full names of lockfiles, most of which the pattern `lockForm` does not match. */
const lockNames = new Set([
  'npm-shrinkwrap.json',
  'go.sum',
  'go.work.sum',
  'gems.locked',
  'Cartfile.resolved',
  'Package.resolved',
  'cabal.project.freeze',
  'renv.lock',
  'project.assets.json',
])

/** Names of lock files: `yarn.lock`, `package-lock.json`, `conda-lock.yml`, `gradle.lockfile` … */
const lockForm = /(^|[.-])lock(b|file)?(\.(json|ya?ml|toml|hcl))?$|\.lockfile$/i
const snapshotForm = /\.(snap|snap\.new|ambr|snapshot)$/i
const minifiedForm = /[.-]min\.(js|mjs|cjs|css|html)$|\.(js|mjs|cjs|css)\.map$/i

const snapshotDirectories = new Set(['__snapshots__', '__image_snapshots__', '__file_snapshots__'])
const vendoredDirectories = new Set([
  'vendor',
  'vendored',
  'third_party',
  'third-party',
  'node_modules',
  'bower_components',
  'Pods',
  'Godeps',
])

/** Number of characters above which a changed line shows that its file is minified. */
const maxLine = 5_000

/** Returns the kind of generated file that the path (with `/`) indicates; undefined for any other path. */
export function generatedKind(path: string): GeneratedKind | undefined {
  const parts = path.split('/')
  const name = parts.pop() as string
  if (vendoredPrefix(path) !== undefined || isYarnRelease(parts)) return 'vendored'
  if (lockNames.has(name) || lockForm.test(name)) return 'lockfile'
  if (snapshotForm.test(name) || parts.some((part) => snapshotDirectories.has(part))) return 'snapshot'
  return minifiedForm.test(name) ? 'minified' : undefined
}

const isYarnRelease = (parts: readonly string[]): boolean =>
  parts.some(
    (part, i) => part === '.yarn' && ['releases', 'cache', 'plugins', 'sdks'].includes(parts[i + 1] ?? ''),
  )

/**
 * Returns the path up to the first directory of vendored code, which means copied from other projects;
 * undefined without such a directory.
 */
function vendoredPrefix(path: string): string | undefined {
  const parts = path.split('/')
  const index = parts.slice(0, -1).findIndex((part) => vendoredDirectories.has(part))
  return index < 0 ? undefined : parts.slice(0, index + 1).join('/')
}

/**
 * Returns paths that cover the given generated files: for vendored files their vendored directory, so that a
 * command line stays short when thousands of files changed there, and otherwise the file.
 */
export const coveringPaths = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => vendoredPrefix(path) ?? path)),
]

/**
 * Returns true if the diff of a file adds or removes a line of more than `maxLine` characters, which a
 * program must have written.
 */
export const isMinifiedDiff = (section: string): boolean =>
  section.split('\n').some((line) => line.length > maxLine && /^[+-]/.test(line))

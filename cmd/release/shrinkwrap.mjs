// The locked dependencies of the packed program: npm-shrinkwrap.json, made from package-lock.json.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Versions of Node without a usable node:sqlite. Only there npm installs libsql, 20 MiB. */
const needsLibsql = '<22.16 || 23'

/** Returns whether a path of the lock file belongs to libsql alone. */
const isLibsql = (path) =>
  /^node_modules\/(libsql|@libsql\/[\w-]+|@neon-rs\/load|detect-libc|promise-limit)$/.test(path)

/**
 * Returns the content of npm-shrinkwrap.json: what an installation needs, without development packages. npm
 * skips an optional package whose `engines` exclude the running Node, and it reads `engines` from this file.
 */
export function makeShrinkwrap(lock) {
  const packages = {}
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') {
      const { devDependencies: _, ...rest } = entry
      packages[path] = rest
    } else if (!entry.dev && !entry.devOptional && !entry.peer) packages[path] = limitEngine(path, entry)
  }
  return { ...lock, packages }
}

function limitEngine(path, entry) {
  if (!isLibsql(path)) return entry
  const libc = /^node_modules\/@libsql\/linux-\w+-(gnu|musl)/.exec(path)?.[1]
  const libcs = { gnu: 'glibc', musl: 'musl' }
  return { ...entry, optional: true, engines: { node: needsLibsql }, ...(libc && { libc: [libcs[libc]] }) }
}

export function writeShrinkwrap(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  writeFileSync(join(root, 'npm-shrinkwrap.json'), `${JSON.stringify(makeShrinkwrap(lock), null, 2)}\n`)
}

/** Removes the file, because npm prefers it to package-lock.json in a clone. */
export function removeShrinkwrap(root) {
  rmSync(join(root, 'npm-shrinkwrap.json'), { force: true })
}

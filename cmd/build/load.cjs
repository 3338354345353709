// Runs the bundle: chunks come from one packed file with V8's code cache, or from files of their own, each once.
'use strict'
const { readFileSync } = require('node:fs')
const { dirname, join, posix } = require('node:path')
const vm = require('node:vm')

const dist = __dirname
const done = new Map()
let pack
let script

/** The packed chunks by path, compiled with the cache when V8 takes it. */
function openPack() {
  try {
    const source = readFileSync(join(dist, 'pack.js'), 'latin1')
    let cachedData
    try {
      cachedData = readFileSync(join(dist, 'pack.cache'))
    } catch {
      cachedData = undefined
    }
    script = new vm.Script(source, {
      filename: join(dist, 'pack.js'),
      cachedData,
      importModuleDynamically: undefined,
    })
    return script.runInThisContext()
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

function load(path) {
  const known = done.get(path)
  if (known) return known.exports
  pack ??= openPack()
  const file = join(dist, path)
  const run =
    pack[path] ??
    vm.compileFunction(
      readFileSync(file, 'utf8'),
      ['exports', 'require', 'module', '__filename', '__dirname'],
      { filename: file },
    )
  const module = { exports: {} }
  done.set(path, module)
  run(module.exports, requireFrom(posix.dirname(path)), module, file, dirname(file))
  return module.exports
}

function requireFrom(dir) {
  const local = (id) => (id.startsWith('.') ? load(posix.join(dir, id)) : require(id))
  local.resolve = require.resolve
  return local
}

module.exports = {
  load,
  /** Paths of the chunks that were used so far. */
  used: () => [...done.keys()],
  /** The code cache of everything compiled so far. */
  cache: () => script?.createCachedData(),
}

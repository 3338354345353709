// Runs the bundle: chunks come from packs with V8's code cache, or from files of their own, each once.
'use strict'
const { readFileSync } = require('node:fs')
const vm = require('node:vm')

const dist = __dirname
const done = new Map()
const opened = new Map()
const wrapper = ['exports', 'require', 'module', '__filename', '__dirname']
let packs

/** The file, or undefined where there is none: while the build has not packed yet. */
function read(path, encoding) {
  try {
    return readFileSync(`${dist}/${path}`, encoding)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A function for each chunk of a pack, which runs it; compiled with the cache when V8 takes it. */
function open(name) {
  const known = opened.get(name)
  if (known) return known.chunks
  const filename = `${dist}/chunk/${name}.js`
  const script = new vm.Script(read(`${name}.js`, 'latin1'), {
    filename,
    cachedData: read(`${name}.cache`),
  })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, requireFrom('chunk/'), module, filename, `${dist}/chunk`)
  opened.set(name, { script, chunks: module.exports })
  return module.exports
}

function load(path) {
  const known = done.get(path)
  if (known) return known.exports
  packs ??= JSON.parse(read('packs.json', 'utf8') ?? '{}')
  const module = { exports: {} }
  done.set(path, module)
  if (packs[path] === undefined) runFile(path, module)
  else module.exports = open(packs[path])[path]()
  return module.exports
}

function runFile(path, module) {
  const file = `${dist}/${path}`
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const code = read(path, 'utf8') ?? unpack(`${file}.br`)
  const run = vm.compileFunction(code, wrapper, { filename: file })
  run(module.exports, requireFrom(folder), module, file, `${dist}/${folder.slice(0, -1)}`)
}

/** Libraries that are large and seldom used lie packed. */
function unpack(file) {
  return require('node:zlib').brotliDecompressSync(readFileSync(file)).toString()
}

/** Chunks name each other as `./…`. */
function requireFrom(folder) {
  const local = (id) => (id.startsWith('./') ? load(folder + id.slice(2)) : require(id))
  local.resolve = require.resolve
  return local
}

module.exports = {
  load,
  /** Paths of the files whose code was read so far, below dist/. */
  files: () => [
    ...[...opened.keys()].map((name) => `${name}.js`),
    ...[...done.keys()].filter((path) => packs[path] === undefined),
  ],
  /** Paths of the chunks that were asked for so far, in order; within a pack they reach each other directly. */
  used: () => [...done.keys()],
  /** The code cache of each pack that was opened, with everything compiled so far. */
  caches: () => [...opened].map(([name, { script }]) => [name, script.createCachedData()]),
}

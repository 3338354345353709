// Runs the bundle: loads each chunk once, from a pack with V8's code cache or from a separate file.
'use strict'
const { readFileSync } = require('node:fs')
const vm = require('node:vm')

const dist = __dirname
const done = new Map()
const opened = new Map()
const wrapper = ['exports', 'require', 'module', '__filename', '__dirname']
let packs

/** Returns the content of the file, or undefined if the build has not written it yet. */
function read(path, encoding) {
  try {
    return readFileSync(`${dist}/${path}`, encoding)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Returns a function for each chunk of a pack, which runs the chunk. Uses the code cache if V8 accepts it.
 */
function open(name) {
  const known = opened.get(name)
  if (known) return known.chunks
  const filename = `${dist}/chunk/${name}.js`
  // A pack contains only ASCII, and V8 keeps it in half the memory if it is read as Latin-1.
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

/** Unpacks a chunk. Chunks of 4 kB or more that are not in a pack are stored compressed. */
function unpack(file) {
  return require('node:zlib').brotliDecompressSync(readFileSync(file)).toString()
}

/** Returns the `require` of a chunk in `folder`, for which `./…` names another chunk. */
function requireFrom(folder) {
  const local = (id) => (id.startsWith('./') ? load(folder + id.slice(2)) : require(id))
  local.resolve = require.resolve
  return local
}

module.exports = {
  load,
  /** Paths below dist/ of the files whose code was read. */
  files: () => [
    ...[...opened.keys()].map((name) => `${name}.js`),
    ...[...done.keys()].filter((path) => packs[path] === undefined),
  ],
  /**
   * Paths of the chunks that the loader ran, in order. A chunk that another one of the same pack calls is
   * not among them.
   */
  used: () => [...done.keys()],
  /** Code caches of the opened packs, with the functions compiled until now. */
  caches: () => [...opened].map(([name, { script }]) => [name, script.createCachedData()]),
}

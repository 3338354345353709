// Runs a large program with the compiled code that an earlier run of it has left beside it.
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { Script } = require('node:vm')

process.argv.splice(1, 1)
const file = process.argv[1]
const kept = `${file}.compiled`
const cachedData = existsSync(kept) ? readFileSync(kept) : undefined
const script = new Script(Module.wrap(readFileSync(file, 'utf8').replace(/^#!.*/, '')), {
  filename: file,
  cachedData,
})
if (cachedData === undefined) process.on('exit', () => writeFileSync(kept, script.createCachedData()))
script.runInThisContext()(exports, Module.createRequire(file), module, file, __dirname)

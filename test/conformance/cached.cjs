// Runs a large program with the code cache of an earlier run, and prints how long it waited for a processor.
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { Script } = require('node:vm')

const everyMs = 20
let due = performance.now() + everyMs
let longest = 0
const timer = setInterval(() => {
  const now = performance.now()
  longest = Math.max(longest, now - due)
  due = now + everyMs
}, everyMs)
timer.unref()
process.on('exit', () => process.stderr.write(`\nlongest stall: ${Math.round(longest)} ms\n`))

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

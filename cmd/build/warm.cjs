// Runs the hot commands in one process and tells which chunks they used, or writes the code cache they warmed.
'use strict'
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const [dist, what, commands] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'anode-warm-'))
Object.assign(process.env, {
  HOME: home,
  ANODE_DATA_DIR: join(home, 'data'),
  XDG_CONFIG_HOME: home,
  XDG_CACHE_HOME: home,
})
const loader = require(join(dist, 'load.cjs'))
const entry = /load\("(chunk\/dispatch-[^"]+)"\)/.exec(readFileSync(join(dist, 'anode.cjs'), 'utf8'))
const out = process.stdout.write.bind(process.stdout)
process.stdout.write = (_, done) => {
  if (typeof done === 'function') done()
  return true
}

async function main() {
  const { start } = loader.load(entry[1])
  for (const words of JSON.parse(commands)) {
    const code = await start(words)
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
  }
  if (what === 'cache') writeFileSync(join(dist, 'pack.cache'), loader.cache())
  else out(JSON.stringify(loader.used()))
}

main()
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exitCode = 1
  })
  .finally(() => rmSync(home, { recursive: true, force: true }))

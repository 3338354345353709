// Runs the hot commands in one process. Tells which chunks each used that those before it did not, and writes the code caches they warmed.
'use strict'
const { mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const [dist, commands] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'anode-warm-'))
Object.assign(process.env, {
  HOME: home,
  ANODE_DATA_DIR: join(home, 'data'),
  XDG_CONFIG_HOME: home,
  XDG_CACHE_HOME: home,
})
const loader = require(join(dist, 'load.cjs'))
const entry = /load\("(chunk\/dispatch-[^"]+)"\)/.exec(readFileSync(join(dist, 'anode.cjs'), 'utf8'))

async function main() {
  const { start } = loader.load(entry[1])
  const used = []
  let before = 0
  for (const words of JSON.parse(commands)) {
    const code = await start(words)
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
    const all = loader.used()
    used.push(all.slice(before))
    before = all.length
  }
  for (const [name, cache] of loader.caches()) writeFileSync(join(dist, `${name}.cache`), cache)
  // the commands have written to standard output
  writeSync(3, JSON.stringify(used))
}

main()
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exitCode = 1
  })
  .finally(() => rmSync(home, { recursive: true, force: true }))

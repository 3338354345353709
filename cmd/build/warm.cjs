// Runs the frequent commands in one process. Prints which chunks each of them loads first, and writes the
// code caches of the packs.
'use strict'
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } = require('node:fs')
const { createServer } = require('node:http')
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
// each command adds a listener for errors
process.setMaxListeners(0)
const loader = require(join(dist, 'load.cjs'))
const entry = /load\("(chunk\/dispatch-[^"]+)"\)/.exec(readFileSync(join(dist, 'anode.cjs'), 'utf8'))

/** Starts a model server on loopback that calls `read` once and then answers. */
async function serveModel() {
  const frame = (delta, finish_reason) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const read = { name: 'read', arguments: '{"path":"package.json"}' }
  const call = { tool_calls: [{ index: 0, id: 'c', type: 'function', function: read }] }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    // the first request asks for the models of the server
    if (request.method === 'GET') return response.writeHead(404).end()
    const isLast = JSON.parse(body).messages.some(({ role }) => role === 'tool')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `${frame(...(isLast ? [{ content: 'done' }, 'stop'] : [call, 'tool_calls']))}data: [DONE]\n\n`,
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Writes a configuration whose model is on this server. */
function configure(server) {
  const baseUrl = `http://127.0.0.1:${server.address().port}/v1`
  const config = { model: 'openai/warm', providers: { openai: { baseUrl, apiKey: 'warm' } } }
  mkdirSync(join(home, 'anode'), { recursive: true })
  writeFileSync(join(home, 'anode', 'config.json'), JSON.stringify(config), { mode: 0o600 })
}

async function main() {
  const { runCommandLine } = loader.load(entry[1])
  const server = await serveModel()
  const used = []
  let before = 0
  for (const { words, configured } of JSON.parse(commands)) {
    if (configured) configure(server)
    const code = await runCommandLine(words)
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
    const all = loader.used()
    used.push(all.slice(before))
    before = all.length
  }
  server.closeAllConnections()
  server.close()
  for (const [name, cache] of loader.caches()) writeFileSync(join(dist, `${name}.cache`), cache)
  // standard output has the output of the commands
  writeSync(3, JSON.stringify(used))
}

main()
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exitCode = 1
  })
  .finally(() => rmSync(home, { recursive: true, force: true }))

// An MCP server over stdio with one fault, which its first argument names. Further arguments belong to the
// fault.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const [fault = 'none', ...rest] = process.argv.slice(2)
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (words) => ({ content: [{ type: 'text', text: words }] })

const echo = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
}
const tools = () => {
  switch (fault) {
    case 'native':
      return [{ ...echo, name: 'read' }]
    case 'describe':
      return [{ ...echo, description: readFileSync(rest[0], 'utf8') }]
    case 'names':
      return [echo, { ...echo, name: 'e.cho' }, { ...echo, name: 'e/cho' }, { ...echo, name: 'x'.repeat(90) }]
    case 'union':
      return [{ ...echo, name: 'pick', inputSchema: JSON.parse(rest[0]) }]
    case 'given':
      return JSON.parse(readFileSync(rest[0], 'utf8'))
    case 'hints':
      return [
        { ...echo, name: 'look', annotations: { readOnlyHint: true } },
        { ...echo, name: 'both', annotations: { readOnlyHint: true, destructiveHint: true } },
        echo,
      ]
    case 'many':
      return listManyTools(Number(rest[0]))
    case 'grow':
      return grown ? [echo, { ...echo, name: 'second' }] : [echo]
    default:
      return [echo]
  }
}
let grown = false

/** Returns up to 60 tools of an issue tracker, each with a different purpose and parameter. */
function listManyTools(count) {
  const verbs = ['create', 'list', 'get', 'update', 'delete', 'close']
  const nouns = 'issue label branch release comment milestone webhook project team secret'.split(' ')
  const all = nouns.flatMap((noun) =>
    verbs.map((verb) => ({
      ...echo,
      name: `${verb}_${noun}`,
      description: `Has a tracker ${verb} one ${noun}.\n\n${'It asks twice. '.repeat(10)}`,
      annotations: { readOnlyHint: verb === 'list' || verb === 'get' },
    })),
  )
  return all.slice(0, count)
}

function answer({ id, method, params }) {
  const isModern = fault === 'modern'
  const reply = (result) =>
    send({
      id,
      result: isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } : result,
    })
  if (method === 'server/discover' && isModern) {
    reply({ supportedVersions: ['2026-07-28'], capabilities: { tools: {}, prompts: {}, resources: {} } })
  } else if (method === 'initialize') {
    if (isModern) return send({ id, error: { code: -32601, message: 'only server/discover' } })
    if (fault === 'mute') return
    const capabilities = { tools: { listChanged: true }, prompts: {}, resources: {} }
    reply({
      protocolVersion: params.protocolVersion,
      capabilities,
      serverInfo: { name: 'fake', version: '1' },
    })
  } else if (method === 'tools/list') reply({ tools: tools() })
  else if (method === 'prompts/list')
    reply({ prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }, { name: 'how' }] }] })
  else if (method === 'prompts/get') {
    if (fault === 'document')
      return reply({ messages: [{ role: 'user', content: { type: 'resource', resource: documentOf() } }] })
    const words = `Greet ${params.arguments.who}, ${params.arguments.how ?? 'plainly'}`
    reply({ messages: [{ role: 'user', content: { type: 'text', text: words } }] })
  } else if (method === 'resources/list') reply({ resources: [{ uri: 'note://one', name: 'One' }] })
  else if (method === 'resources/read') {
    if (params.uri === 'doc://ship') reply({ contents: [documentOf()] })
    else if (params.uri === 'note://one') reply({ contents: [{ uri: params.uri, text: 'the first note' }] })
    else send({ id, error: { code: -32002, message: 'no such note' } })
  } else if (method === 'tools/call') call(id, params, reply)
  else if (id !== undefined) send({ id, error: { code: -32601, message: `unknown method ${method}` } })
}

/** Returns the file of the second argument in base64. */
const documentOf = () => ({ uri: 'doc://ship', blob: readFileSync(rest[0]).toString('base64') })

const pending = new Set()

function call(id, params, reply) {
  if (rest.at(-1)?.endsWith('.calls')) appendFileSync(rest.at(-1), `${params.arguments.message}\n`)
  const token = params._meta?.progressToken
  if (fault === 'die') process.exit(3)
  else if (fault === 'stall') pending.add(id)
  else if (fault === 'fail') reply({ ...text('it went wrong'), isError: true })
  else if (fault === 'refuse') send({ id, error: { code: -32602, message: 'not like that' } })
  else if (fault === 'progress') {
    for (const progress of [1, 2, 3]) {
      send({
        method: 'notifications/progress',
        params: { progressToken: token, progress, total: 3, message: 'on it' },
      })
    }
    setTimeout(() => reply(text('done')), 50)
  } else if (fault === 'grow') {
    grown = true
    send({ method: 'notifications/tools/list_changed' })
    reply(text('grown'))
  } else if (fault === 'flood') process.stdout.write(Buffer.alloc(40 << 20, 120))
  else if (fault === 'document') reply({ content: [{ type: 'resource', resource: documentOf() }] })
  else if (fault === 'rich') {
    reply({
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'note://one', name: 'One' },
        { type: 'resource', resource: { uri: 'note://two', text: 'the second note' } },
      ],
      structuredContent: { n: 1 },
    })
  } else if (fault === 'given') reply(text(`Echo: ${JSON.stringify(params.arguments)}`))
  else reply(text(`Echo: ${params.arguments.message}`))
}

if (fault === 'crash') {
  process.stderr.write('no licence found\n')
  process.exit(7)
}
if (fault === 'junk')
  process.stdout.write('Starting up…\n{"level":"info"}\n{"jsonrpc":"2.0","method":1}\n[1,2\n')
if (fault === 'once' && existsSync(rest[0])) process.exit(5)

// like a server that is downloaded first: it answers only when its directory has the file `open`
if (fault === 'late') while (!existsSync(`${rest[0]}/open`)) await sleep(20)

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (fault === 'junk') process.stdout.write('DEBUG a line that is no message\n\n')
  // like a server that accepts no request before initialize
  if (fault === 'old' && message.method === 'server/discover') process.exit(1)
  if (fault === 'silent' && message.method === 'server/discover') return
  if (message.method === 'notifications/cancelled' && rest[0])
    appendFileSync(rest[0], `cancelled ${message.params.requestId}\n`)
  answer(message)
})

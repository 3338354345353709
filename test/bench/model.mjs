// The scripted model server of bench:agent, a separate process. It streams responses, and records when each
// request arrived and when its response ended.
import { createServer } from 'node:http'
import { createPromptCache } from './prompt-cache.mjs'
import { failedResult, formatOf, replyStream } from './wire-replies.mjs'

const seen = []
let plan = { kind: 'text', turns: 0, delay: 0 }
/** Request bodies, kept only if the plan sets it, because counting takes longer than a turn. */
let cache

/** Returns the calls of the response to a request, as many as the plan says, or none for text. */
function callsFor(messages = []) {
  if (plan.kind !== 'children') return planned(seen.length - 1)
  const turn = messages.filter(({ role }) => role === 'assistant').length
  const isChild = messages.some(({ content }) => content === 'child work')
  if (isChild) return turn === 0 ? [call(0, 'read', { path: 'small.txt' })] : undefined
  return turn === 0
    ? Array.from({ length: plan.turns }, (_, i) => call(i, 'task', { title: `c${i}`, goal: 'child work' }))
    : undefined
}

/** Two deferred tools: each is described by tool_search, then called. */
const deferredCalls = [
  { name: 'find_thread' },
  { name: 'find_thread', args: { query: 'line' } },
  { name: 'task_list' },
  { name: 'task_list', args: { action: 'list' } },
]

function planned(turn) {
  if (turn >= plan.turns) return undefined
  // different each time, because five equal calls would end the run
  const search = plan.kind === 'deferred' && deferredCalls[turn - 5]
  if (search) return [call(turn, 'tool_search', search)]
  if (plan.kind === 'read' || plan.kind === 'deferred')
    return [call(turn, 'read', { path: 'small.txt', end_line: turn + 1 })]
  return [call(turn, 'bash', { command: 'true', timeout_ms: 10_000 + turn })]
}

const call = (index, name, args) => ({ id: `c${index}`, name, args: JSON.stringify(args) })

const server = createServer((request, response) => {
  const came = performance.now()
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const raw = Buffer.concat(chunks)
    if (request.url === '/plan') {
      plan = JSON.parse(raw)
      seen.length = 0
      cache = plan.format && createPromptCache(plan.format)
      return response.end()
    }
    if (request.url === '/seen') return response.end(JSON.stringify(seen))
    if (request.method === 'GET') return response.writeHead(404).end()
    const one = { came, bytes: raw.length, ended: 0, ...(seen.length === 0 && { first: raw.toString() }) }
    seen.push(one)
    const format = formatOf(request.url)
    const body = JSON.parse(raw)
    one.failed = failedResult(format, body)
    if (cache) one.kept = cache({ raw: raw.toString(), body })
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      one.ended = performance.now()
      response.end(replyStream(format, callsFor(body.messages)))
    }, plan.delay)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('disconnect', () => process.exit(0))

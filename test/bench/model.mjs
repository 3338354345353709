// The scripted model server of bench:agent, a process of its own: streams replies, notes when each request came and its answer ended.
import { createServer } from 'node:http'

const seen = []
let plan = { kind: 'text', turns: 0, delay: 0 }

/** The reply to a request: as many calls as the plan says, then words. */
function replyTo(messages) {
  const turn = messages.filter(({ role }) => role === 'assistant').length
  const isChild = messages.some(({ content }) => content === 'child work')
  if (plan.kind === 'children') {
    if (isChild) return turn === 0 ? [call(0, 'read', { path: 'small.txt' })] : undefined
    return turn === 0
      ? Array.from({ length: plan.turns }, (_, i) => call(i, 'task', { title: `c${i}`, goal: 'child work' }))
      : undefined
  }
  if (turn >= plan.turns) return undefined
  // different each time: the same call five times over would end the run
  if (plan.kind === 'read') return [call(turn, 'read', { path: 'small.txt', end_line: turn + 1 })]
  return [call(turn, 'bash', { command: 'true', timeout_ms: 10_000 + turn })]
}

const call = (index, name, args) => ({ id: `c${index}`, name, args: JSON.stringify(args) })

function body(calls) {
  const frame = { id: 'r', object: 'chat.completion.chunk', created: 1, model: 'bench' }
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  const deltas = calls
    ? calls.map(({ id, name, args }, index) =>
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] }),
      )
    : [chunk({ content: 'done' })]
  return [
    chunk({ role: 'assistant', content: '' }),
    ...deltas,
    chunk({}, calls ? 'tool_calls' : 'stop'),
    `data: ${JSON.stringify({ ...frame, choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ].join('')
}

const server = createServer((request, response) => {
  const came = performance.now()
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const raw = Buffer.concat(chunks)
    if (request.url === '/plan') {
      plan = JSON.parse(raw)
      seen.length = 0
      return response.end()
    }
    if (request.url === '/seen') return response.end(JSON.stringify(seen))
    if (request.method === 'GET') return response.writeHead(404).end()
    const one = { came, bytes: raw.length, ended: 0, ...(seen.length === 0 && { first: raw.toString() }) }
    seen.push(one)
    const { messages } = JSON.parse(raw)
    one.failed = messages.find(
      ({ role, content }) => role === 'tool' && content.startsWith('error '),
    )?.content
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      one.ended = performance.now()
      response.end(body(replyTo(messages)))
    }, plan.delay)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('disconnect', () => process.exit(0))

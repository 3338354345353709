#!/usr/bin/env node
// A process plugin with one fault, which its file name selects. Tests create a link to it with that name.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const me = process.argv[1]
const fault = basename(me)
const log = (words) => appendFileSync(join(dirname(me), `${fault}.log`), `${words}\n`)
const send = (message) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
/** Declarations and answers that a test writes into the file next to it. */
const own = existsSync(`${me}.json`) ? JSON.parse(readFileSync(`${me}.json`, 'utf8')) : {}
const decide = {
  silent: { timeoutMs: 200 },
  lenient: { timeoutMs: 200, onError: 'allow' },
  only: { tools: ['ba*'] },
}

function answer({ id, method, params }) {
  const reply = (result) => send({ id, result })
  log(method)
  if (method === 'initialize') {
    if (fault === 'mute') return
    const capabilities = {
      tools: true,
      events: fault === 'watch',
      decide: own.decide ?? decide[fault] ?? (fault === 'veto' ? true : undefined),
    }
    const stated = 'capabilities' in own ? own.capabilities : capabilities
    reply({ protocolVersion: fault === 'future' ? 9 : 1, name: fault, capabilities: stated })
  } else if (method === 'tools/list') {
    const tool = {
      name: 'echo',
      description: 'Says it again',
      inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
    }
    if ('tools' in own) return reply({ tools: own.tools })
    reply({ tools: fault === 'mild' ? [{ ...tool, level: 'auto_read' }] : [tool] })
  } else if (method === 'tools/call') {
    if (fault === 'die') process.exit(4)
    if (fault === 'stall') return
    if (fault === 'junk') process.stdout.write('a line that is no frame\r\n\r\n')
    if (fault === 'flood') process.stdout.write(Buffer.alloc(40 << 20, 120))
    if (fault === 'error') return send({ id, error: { code: 1, message: 'out of order' } })
    if (fault === 'fail') return reply({ failed: 'it went wrong' })
    reply({ text: `Echo: ${params.arguments.message}`, data: { thread: params.thread } })
  } else if (method === 'run/decide') {
    if (fault === 'silent' || fault === 'lenient') return
    if ('answer' in own) return reply(own.answer)
    reply(params.tool === 'read' ? {} : { decision: 'deny', reason: 'not today' })
  } else if (method === 'run/event') log(params.event.type)
  else if (id !== undefined) send({ id, error: { code: -32601, message: method } })
}

if (fault === 'crash') {
  process.stderr.write('no licence found\n')
  process.exit(7)
}
let rest = Buffer.alloc(0)
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk])
  for (;;) {
    const head = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/i.exec(rest.toString('latin1'))
    const end = head ? head[0].length + Number(head[1]) : Number.POSITIVE_INFINITY
    if (rest.length < end) return
    const message = JSON.parse(rest.subarray(head[0].length, end).toString('utf8'))
    rest = rest.subarray(end)
    answer(message)
  }
})

#!/usr/bin/env node
// A plugin for Anode without any library: a tool, a veto on commands that push, and a log of finished runs.
import { appendFileSync } from 'node:fs'

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const count = { name: 'count', description: 'Counts words.', inputSchema, level: 'auto_read' }

const methods = {
  initialize: () => ({
    protocolVersion: 1,
    name: 'careful',
    capabilities: { tools: true, events: ['run.ended'], decide: { tools: ['bash'], timeoutMs: 1000 } },
  }),
  'tools/list': () => ({ tools: [count] }),
  'tools/call': ({ arguments: { text } }) => ({ text: `${text.trim().split(/\s+/).length} words` }),
  'run/decide': ({ arguments: { command } }) =>
    /\bgit\s+push\b/.test(command) ? { decision: 'deny', reason: 'pushing is done by people' } : {},
  'run/event': ({ thread, event }) =>
    appendFileSync(process.env.CAREFUL_LOG ?? '/tmp/careful.log', `${thread} ${event.payload.end}\n`),
  shutdown: () => ({}),
}

let rest = Buffer.alloc(0)
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk])
  for (;;) {
    const head = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/i.exec(rest.toString('latin1'))
    const end = head ? head[0].length + Number(head[1]) : Number.POSITIVE_INFINITY
    if (rest.length < end) return
    const { id, method, params } = JSON.parse(rest.subarray(head[0].length, end))
    rest = rest.subarray(end)
    const known = Object.hasOwn(methods, method)
    const answer = known ? { result: methods[method](params) } : { error: { code: -32601, message: method } }
    const body = JSON.stringify({ jsonrpc: '2.0', id, ...answer })
    if (id !== undefined) process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
})

// An MCP server with a channel. Its arguments say what it offers and how a user there answers.
// `none`, `deny`, `allow_once`, `allow_always`, `silent`, or the id of an option, `text`, `dismissed`.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [behavior = 'deny', log] = process.argv.slice(2)
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const experimental = behavior === 'none' ? {} : { 'hooman/channel/permission': {}, 'hooman/channel/ask': {} }

function reply({ id, method, params }) {
  if (method !== 'initialize') return send({ id, error: { code: -32601, message: 'not here' } })
  const { protocolVersion } = params
  send({
    id,
    result: {
      protocolVersion,
      capabilities: { experimental },
      serverInfo: { name: 'channel', version: '1' },
    },
  })
}

const answers = {
  text: { answer: 'MySQL' },
  dismissed: { dismissed: true },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.id !== undefined) return reply(message)
  if (!message.method.endsWith('_request')) return
  if (log) appendFileSync(log, `${line}\n`)
  if (behavior === 'silent') return
  const { request_id } = message.params
  const method = message.method.replace(/_request$/, '')
  // the answer of another user comes first
  send({ method, params: { request_id: 'another', behavior: 'allow_always', option_id: 'pg' } })
  const said = method.endsWith('/ask') ? (answers[behavior] ?? { option_id: behavior }) : { behavior }
  send({ method, params: { request_id, ...said } })
})

// A language server with one fault, which its argument names. It implements the protocol without a library.
import { appendFileSync } from 'node:fs'

const [mode = 'plain', log] = process.argv.slice(2)
const send = (message) => raw(JSON.stringify({ jsonrpc: '2.0', ...message }))
const raw = (body, length = Buffer.byteLength(body)) =>
  process.stdout.write(`Content-Length: ${length}\r\n\r\n${body}`)
const note = (what) => log && appendFileSync(log, `${what}\n`)

const documents = new Map()
const held = []
const filler = 'x'.repeat(500)
let buffer = Buffer.alloc(0)
note(`start ${process.pid}`)

if (mode === 'mute') setInterval(() => undefined, 1000)
else if (mode === 'deaf') {
  // answers the handshake, then never reads again
  process.stdin.once('data', () => {
    reply(0, { capabilities: { textDocumentSync: 1, hoverProvider: true } })
    process.stdin.pause()
  })
  setInterval(() => undefined, 1000)
} else process.stdin.on('data', take)

function take(chunk) {
  buffer = Buffer.concat([buffer, chunk])
  for (;;) {
    const at = buffer.indexOf('\r\n\r\n')
    if (at === -1) return
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.toString('latin1', 0, at))[1])
    if (buffer.length < at + 4 + length) return
    const message = JSON.parse(buffer.toString('utf8', at + 4, at + 4 + length))
    buffer = buffer.subarray(at + 4 + length)
    handle(message)
  }
}

function reply(id, result) {
  send({ id, result })
}

const range = (line, character) => ({ start: { line, character }, end: { line, character } })

function publish(uri, version, messages) {
  const diagnostics = messages.map((message, i) => ({ range: range(i, 0), severity: 1, message }))
  send({
    method: 'textDocument/publishDiagnostics',
    params: { uri, ...(version !== undefined && { version }), diagnostics },
  })
}

/** Returns one error for each word `bad` in the text. */
const faults = (text) => [...text.matchAll(/bad\w*/g)].map(([word]) => `found ${word}`)

const handlers = {
  initialize(id) {
    if (mode === 'crash-at-start') process.exit(3)
    const encoding = mode === 'utf8' ? { positionEncoding: 'utf-8' } : {}
    const provider = { hoverProvider: true, definitionProvider: true, documentSymbolProvider: true }
    const begin = () => reply(id, { capabilities: { ...encoding, ...provider, textDocumentSync: 1 } })
    // longer than a call waits by default
    if (mode === 'slow') setTimeout(begin, 2_500)
    else begin()
    if (mode === 'flood') flood()
    if (mode === 'greedy') {
      process.stdin.pause()
      flood(() => undefined)
    }
    if (mode === 'wrong-length') setTimeout(() => raw('{"jsonrpc":"2.0","method":"$/x"}', 7), 50)
    if (mode === 'huge') setTimeout(() => process.stdout.write('Content-Length: 999999999999\r\n\r\n'), 50)
    if (mode === 'huge-at-once') process.stdout.write('Content-Length: 999999999999\r\n\r\n')
    if (mode === 'chatter') setTimeout(() => process.stdout.write('starting up...\n'.repeat(1000)), 50)
  },
  'textDocument/hover'(id, { position }) {
    if (mode === 'crash-in-call') process.exit(4)
    if (mode === 'stall') return
    const answer = { contents: `line ${position.line} character ${position.character}` }
    if (mode !== 'out-of-order') return reply(id, answer)
    held.push([id, answer])
    // the last request is answered first
    if (held.length === 3) for (const [one, what] of held.reverse()) reply(one, what)
  },
  'textDocument/definition'(id, { textDocument, position }) {
    if (mode === 'hostile') {
      reply(id, [
        { uri: 'file:///etc/passwd', range: range(0, 0) },
        { uri: 'file://other-host/share/x', range: range(0, 0) },
        { uri: 'https://example.org/x', range: range(1, 1) },
        { uri: textDocument.uri, range: { start: { line: -1, character: 'x' } } },
        { uri: 7, range: null },
        'nothing',
        null,
        ...Array.from({ length: 50_000 }, (_, i) => ({ uri: textDocument.uri, range: range(i, 0) })),
      ])
    } else reply(id, { uri: textDocument.uri, range: range(position.line, position.character) })
  },
  'textDocument/documentSymbol'(id, { textDocument }) {
    if (mode === 'stall') return
    const { text } = documents.get(textDocument.uri) ?? { text: '' }
    reply(id, [])
    if (mode === 'late') setTimeout(() => publish(textDocument.uri, undefined, faults(text)), 100)
  },
  'textDocument/didOpen'(_, { textDocument }) {
    documents.set(textDocument.uri, textDocument)
    changed(textDocument)
  },
  'textDocument/didChange'(_, { textDocument, contentChanges }) {
    const next = { ...textDocument, text: contentChanges[0].text }
    const before = documents.get(textDocument.uri)
    documents.set(textDocument.uri, next)
    // the errors of the previous text are published only now
    if (mode === 'stale') publish(textDocument.uri, before.version, faults(before.text))
    changed(next)
  },
  shutdown(id) {
    if (mode !== 'immortal') reply(id, null)
  },
  exit() {
    if (mode !== 'immortal') process.exit(0)
  },
}

function changed({ uri, version, text }) {
  note(`version ${version}`)
  if (mode === 'late') publish(uri, undefined, [])
  else if (mode === 'unversioned') publish(uri, undefined, faults(text))
  else if (mode !== 'stall')
    setTimeout(() => publish(uri, version, faults(text)), mode === 'stale' ? 2000 : 0)
}

function handle({ id, method, params }) {
  if (method === undefined) return
  const run = handlers[method]
  if (run) run(id, params ?? {})
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } })
}

/** Sends notifications, requests and reports without end, as fast as the pipe accepts them. */
function flood(also = (n) => publish(`file:///nowhere/${n}`, 1, [filler])) {
  let n = 0
  const more = () => {
    for (let i = 0; i < 200; i++) {
      n++
      if (mode === 'flood') send({ method: 'window/logMessage', params: { type: 3, message: filler } })
      send({ id: `r${n}`, method: 'workspace/configuration', params: { items: [{ section: filler }] } })
      also(n)
    }
    if (process.stdout.writableNeedDrain) process.stdout.once('drain', () => setImmediate(more))
    else setImmediate(more)
  }
  more()
}

if (mode === 'immortal') for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(name, () => undefined)
process.stdin.on('end', () => mode !== 'immortal' && process.exit(0))

// PDFs as documents over every wire, through the built program and a server that is served by hand.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { shortenMessages } from '../../../../internal/agent/message-truncation.ts'
import type { ContentPart, ModelMessage } from '../../../../internal/model/model.ts'
import { fitDocuments, refusesDocuments } from '../../../../internal/model/strict/documents.ts'
import { weighMessage } from '../../../../internal/model/tokens.ts'
import { type World, world } from '../../../support/anode.ts'
import {
  type Received,
  type ServedFormat,
  type ServedReply,
  serveModel,
} from '../../../support/model-server.ts'
import { makePdf } from '../../../support/pdf.ts'
import { choice, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'
import { strictFaults } from '../../../support/strict/strict-endpoint.ts'

const formats: readonly ServedFormat[] = ['chat', 'responses', 'messages']
const secret = 'The keel was laid in 1871.'
const pdf = makePdf([secret, 'Page two.'])
const base64 = pdf.toString('base64')

const worlds: World[] = []
const servers: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  for (const at of worlds.splice(0)) at.remove()
})

interface Setup {
  documents?: boolean
  window?: number
  serve?: (request: Received, n: number) => ServedReply | undefined
}

const look = { calls: [{ name: 'look_at', args: { path: 'ship.pdf' } }] }

/** Runs a task in which the model looks at a PDF; the server answers as `serve` says, else with the call and an end. */
async function runLooking(format: ServedFormat, { documents, window = 200_000, serve }: Setup) {
  const server = await serveModel((request, n) => serve?.(request, n) ?? (n === 0 ? look : { text: 'Seen.' }))
  servers.push(server)
  const at = world()
  worlds.push(at)
  writeFileSync(join(at.dir, 'ship.pdf'), pdf)
  const lab = {
    baseUrl: server.url,
    apiFormat: format,
    window,
    ...(documents !== undefined && { documents }),
  }
  at.put('../.config/anode/config.json', JSON.stringify({ providers: { lab } }))
  const run = () => at.anode(['execute', '--model', 'lab/m', 'Read it'])
  const first = await run()
  for (const { body } of server.requests) expect(strictFaults(format, body)).toEqual([])
  return { ...first, run, requests: server.requests }
}

const url = `data:application/pdf;base64,${base64}`

/** Returns the documents of a request, by the published types of each wire format. */
function documentsOf(format: ServedFormat, { body }: Received): unknown[] {
  if (format === 'chat')
    return body.messages.flatMap(({ role, content }: { role: string; content: unknown }) =>
      Array.isArray(content) && role === 'user' ? content.filter(({ type }) => type === 'file') : [],
    )
  if (format === 'responses')
    return body.input.flatMap(({ output }: { output?: unknown }) =>
      Array.isArray(output) ? output.filter(({ type }) => type === 'input_file') : [],
    )
  return body.messages.flatMap(({ content }: { content: { content?: unknown }[] }) =>
    content.flatMap(({ content: inner }) =>
      Array.isArray(inner) ? inner.filter(({ type }) => type === 'document') : [],
    ),
  )
}

const written: Readonly<Record<ServedFormat, object>> = {
  chat: { type: 'file', file: { filename: 'ship.pdf', file_data: url } },
  responses: { type: 'input_file', filename: 'ship.pdf', file_data: url },
  messages: {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: base64 },
    title: 'ship.pdf',
  },
}

describe.each(formats)('%s', (format) => {
  test('a model that reads documents gets the PDF and not its text', async () => {
    const { code, requests } = await runLooking(format, { documents: true })
    expect([code, requests.length]).toEqual([0, 2])
    const [, last] = requests as [Received, Received]
    expect(documentsOf(format, last)).toEqual([written[format]])
    expect(last.raw).not.toContain(secret)
    expect(last.raw).toContain('[the PDF follows: ship.pdf]')
  })

  test('any other model gets the text', async () => {
    const { code, requests } = await runLooking(format, {})
    expect([code, documentsOf(format, requests[1] as Received)]).toEqual([0, []])
    expect(requests[1]?.raw).toContain(secret)
    expect(requests[1]?.raw).not.toContain(base64.slice(0, 60))
  })

  test('a refusal is learned: the same request and later runs send the text', async () => {
    const refusal = {
      status: 400,
      body: '{"error":{"message":"Invalid content part: type \'file\' is not supported, nor is document"}}',
    }
    const serve = (request: Received) => (documentsOf(format, request).length > 0 ? refusal : undefined)
    const { code, err, requests, run } = await runLooking(format, {
      documents: true,
      serve: (request, n) => serve(request) ?? (n === 0 || n === 3 ? look : undefined),
    })
    expect([code, requests.length]).toEqual([0, 3])
    expect(err).toMatch(/does not take documents: PDFs are sent as text from now on/)
    expect(requests[2]?.raw).toContain(secret)
    expect((await run()).code).toBe(0)
    expect(requests.slice(3).flatMap((request) => documentsOf(format, request))).toEqual([])
    expect(requests.at(-1)?.raw).toContain(secret)
  })
})

test('a document that takes too much of the window goes as text', async () => {
  const { requests } = await runLooking('chat', { documents: true, window: 15_000 })
  expect(documentsOf('chat', requests[1] as Received)).toEqual([])
  expect(requests[1]?.raw).toContain(secret)
})

test('a resumed run has the text of the record', async () => {
  const { run: _, requests, ...first } = await runLooking('messages', { documents: true })
  expect(first.code).toBe(0)
  const [at] = worlds as [World]
  expect((await at.anode(['execute', '--model', 'lab/m', '--resume', 'last', 'And?'])).code).toBe(0)
  expect(documentsOf('messages', requests.at(-1) as Received)).toEqual([])
  expect(requests.at(-1)?.raw).toContain(secret)
})

const refusals: readonly [string, boolean][] = [
  ["messages.2.content.0: Input tag 'document' found using 'type' does not match", true],
  ["Invalid value: 'input_file'. Supported values are: 'input_text'", true],
  ["Invalid content part type: 'file'", true],
  ['This model does not support file content types', true],
  ['media type application/pdf is not supported', true],
  ['PDF input is disabled for this model', true],
  ['Unknown parameter: profile', false],
  ['no such file or directory: model.bin', false],
  ['prompt is too long', false],
]
test.each(refusals)('%s', (message, expected) => {
  expect(refusesDocuments({ kind: 'bad_request', message })).toBe(expected)
  expect(refusesDocuments({ kind: 'server', message })).toBe(false)
})

test('random conversations: a document is a file or a text, files are the latest that fit, and nothing else changes', () => {
  const random = rng(41)
  for (let i = 0; i < rounds(300, 5_000); i++) {
    const messages = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, n): ModelMessage => {
      const text = `text ${n}`
      if (random() < 0.4) return { role: 'user', content: text }
      const size = choice(random, [10, 1_000_000, 9_000_000, 22_000_000])
      const document = { type: 'document', mime: 'application/pdf', name: `${n}.pdf` } as const
      const content: ContentPart[] = [
        { type: 'text', text: `${n}.pdf: PDF\n${text} end` },
        { ...document, base64: 'x'.repeat(size), pages: 3, text },
      ]
      if (random() < 0.3) content.push({ type: 'image', mime: 'image/png', base64: 'AA' })
      return { role: 'tool', callId: `c${n}`, name: 'look_at', content }
    })
    const areTaken = random() < 0.7
    const fitted = fitDocuments(messages, areTaken)
    expect(fitDocuments(messages, areTaken)).toEqual(fitted)
    let room = areTaken ? 20 * 1024 * 1024 : 0
    for (const [n, message] of [...messages.entries()].reverse()) {
      const out = fitted[n] as ModelMessage
      if (typeof message.content === 'string') {
        expect(out).toBe(message)
        continue
      }
      const document = message.content.find((part) => part.type === 'document')
      const parts = out.content as readonly ContentPart[]
      const isFile = document !== undefined && document.base64.length <= room
      room = isFile ? room - document.base64.length : 0
      expect(parts.some((part) => part.type === 'document')).toBe(isFile)
      expect(JSON.stringify(parts.filter(({ type }) => type === 'text')).includes(document?.text ?? '')).toBe(
        !isFile,
      )
      expect(parts.filter(({ type }) => type === 'image')).toEqual(
        message.content.filter(({ type }) => type === 'image'),
      )
      expect(weighMessage(message)).toBeGreaterThanOrEqual(6_000)
    }
  }
})

test('a conversation that is cut to fit has no document', () => {
  const document = {
    type: 'document',
    mime: 'application/pdf',
    name: 'a.pdf',
    base64: 'QUJD',
    pages: 1,
  } as const
  const content: ContentPart[] = [
    { type: 'text', text: 'a.pdf: PDF' },
    { ...document, text: '' },
  ]
  const messages: ModelMessage[] = [{ role: 'tool', callId: 'c', name: 'look_at', content }]
  shortenMessages(messages, 1_000, 'latest')
  expect(messages).toMatchObject([{ content: 'a.pdf: PDF\n(document omitted)' }])
})

// Documents that a user attaches, through every way in, over every wire, to models that take them and to others.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { SessionCommand } from '../../internal/session/commands.ts'
import { startEditor } from '../support/acp-client.ts'
import { world } from '../support/anode.ts'
import { fake } from '../support/mcp.ts'
import { type Received, type ServedFormat, serveModel } from '../support/model-server.ts'
import { makePdf } from '../support/pdf.ts'
import { scratchWith } from '../support/scratch.ts'
import { sessionWorld } from '../support/session.ts'
import { strictFaults } from '../support/strict/strict-endpoint.ts'
import { makeZip } from '../support/zip.ts'

const formats: readonly ServedFormat[] = ['chat', 'responses', 'messages']
const secret = 'The keel was laid in 1871.'
const pdf = makePdf([secret, 'Page two.'])
const base64 = pdf.toString('base64')
const longPdf = makePdf(Array.from({ length: 60 }, (_, n) => `Page ${n + 1}. ${secret}`))
const docx = makeZip({
  'word/document.xml':
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r>' +
    `<w:t>${secret}</w:t></w:r></w:p></w:body></w:document>`,
})

/** `until`: the first reply waits for it. */
async function lab(format: ServedFormat, documents: boolean, until?: Promise<void>) {
  const server = await serveModel((_, n) => ({
    text: 'Seen.',
    ...(until && n === 0 && { hold: { at: 0, until } }),
  }))
  onTestFinished(() => server.close())
  const config = {
    providers: { lab: { baseUrl: server.url, apiFormat: format, window: 200_000, documents } },
  }
  return { server, config: JSON.stringify(config) }
}

/** Whether the last request has the PDF as media, and whether it has its text; never both. */
function sentAs(format: ServedFormat, { body, raw }: Received): 'media' | 'text' | 'both' | 'nothing' {
  expect(strictFaults(format, body)).toEqual([])
  const isMedia = raw.includes(base64)
  const isText = raw.includes(secret)
  return isMedia ? (isText ? 'both' : 'media') : isText ? 'text' : 'nothing'
}

const document = { type: 'document' as const, name: 'ship.pdf', base64 }
const text = { type: 'text' as const, text: 'Read [ship.pdf]' }
const sessionDoors: Readonly<Record<string, SessionCommand>> = {
  'a named file': { type: 'say', content: 'Read @ship.pdf', files: [{ path: 'ship.pdf' }] },
  'bytes in a message': { type: 'say', content: [text, document] },
  'bytes alone': { type: 'say', content: [document] },
  'bytes that steer': { type: 'steer', content: [text, document] },
  'bytes that are queued': { type: 'queue', content: [text, document] },
  'a resource of an MCP server': { type: 'say', content: 'Read ship.pdf: @docs:doc://ship' },
  'a prompt of an MCP server': { type: 'say', content: '/docs:greet ship.pdf' },
}

const rows = formats.flatMap((format) =>
  [true, false].flatMap((documents) =>
    Object.keys(sessionDoors).map((door) => [format, documents, door] as const),
  ),
)
test.each(rows)('%s, documents %s: a session gets %s', async (format, documents, door) => {
  const { server, config } = await lab(format, documents)
  const home = scratchWith({})
  writeFileSync(join(home, 'ship.pdf'), pdf)
  const mcpServers = { docs: fake('document', join(home, 'ship.pdf')) }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ ...JSON.parse(config), mcpServers }))
  const { open, cwd } = await sessionWorld([], {}, { ANODE_CONFIG: join(home, 'config.json') })
  writeFileSync(join(cwd, 'ship.pdf'), pdf)
  const session = await open(undefined, { model: 'lab/m' })
  expect(await session.send(sessionDoors[door] as SessionCommand)).toMatchObject({ ok: true })
  const view = await session.idle()
  expect(sentAs(format, server.requests.at(-1) as Received)).toBe(documents ? 'media' : 'text')
  const said = view.blocks.flatMap((one) =>
    one.kind === 'user' && one.origin === undefined ? [one.text] : [],
  )
  // a prompt is shown as its server fills it in
  const seen = door.startsWith('a prompt')
    ? [said.join().includes(secret)]
    : [said.join().includes('ship.pdf')]
  expect(seen).toEqual([true])
  if (!door.startsWith('a prompt')) expect(said.join()).not.toContain(secret)
  // the next run has the text of the record at least
  await session.say('And?')
  await session.until((now) => now.run === undefined && server.requests.length === 2)
  expect(sentAs(format, server.requests.at(-1) as Received)).toBe(documents ? 'media' : 'text')
})

test('a queued message keeps its document for the next process', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { server, config } = await lab('chat', false, held)
  const home = scratchWith({ 'config.json': config })
  const { open, service, reopen } = await sessionWorld([], {}, { ANODE_CONFIG: join(home, 'config.json') })
  const session = await open(undefined, { model: 'lab/m' })
  await session.say('hello')
  expect(await session.send({ type: 'queue', content: [text, document] })).toMatchObject({ ok: true })
  await service.close()
  release()
  const again = await open(
    { kind: 'resume', thread: session.client.thread },
    { service: await reopen(), model: 'lab/m' },
  )
  await again.until(({ queue }) => queue.length === 1)
  await again.say('')
  await again.until((now) => now.run === undefined && now.queue.length === 0)
  expect(sentAs('chat', server.requests.at(-1) as Received)).toBe('text')
})

test('a document that comes during a run steers it', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { server, config } = await lab('messages', true, held)
  const home = scratchWith({ 'config.json': config })
  const { open } = await sessionWorld([], {}, { ANODE_CONFIG: join(home, 'config.json') })
  const session = await open(undefined, { model: 'lab/m' })
  await session.say('hello')
  await expect.poll(() => server.requests.length).toBe(1)
  expect(await session.send({ type: 'steer', content: [text, document] })).toMatchObject({ ok: true })
  release()
  await session.idle()
  expect(server.requests.map((request) => sentAs('messages', request))).toEqual(['nothing', 'media'])
})

const contents: readonly (readonly [string, Buffer, RegExp])[] = [
  ['long.pdf', longPdf, /text of the first 50 of 60 pages/],
  ['empty.pdf', makePdf(['']), /it contains no text/],
  ['broken.pdf', Buffer.from('%PDF-1.4\nnothing'), /no text/],
  ['report.docx', docx, /The keel was laid in 1871/],
  ['notes.txt', Buffer.from(`${secret}\n`), /The keel was laid in 1871/],
  ['long.txt', Buffer.from('x'.repeat(70_000)), /the first 65536 of 70000 characters; the rest is not read/],
  ['data.bin', Buffer.from([0, 1, 2, 3, 0, 255]), /not read: 6 bytes of another format/],
]
test.each(contents)('%s goes as text with a note of what is not read', async (name, bytes, note) => {
  const { server, config } = await lab('chat', false)
  const home = scratchWith({ 'config.json': config })
  const { open } = await sessionWorld([], {}, { ANODE_CONFIG: join(home, 'config.json') })
  const session = await open(undefined, { model: 'lab/m' })
  const part = { type: 'document' as const, name, base64: bytes.toString('base64') }
  await session.send({ type: 'say', content: [part] })
  await session.idle()
  const sent = server.requests.at(-1) as Received
  expect(strictFaults('chat', sent.body)).toEqual([])
  expect(sent.raw).toMatch(note)
  expect(sent.raw).not.toContain(part.base64.slice(0, 400))
})

test.each(formats.flatMap((format) => [true, false].map((documents) => [format, documents] as const)))(
  '%s, documents %s: execute --image and an ACP editor',
  async (format, documents) => {
    const { server, config } = await lab(format, documents)
    const at = world()
    onTestFinished(() => at.remove())
    at.put('../.config/anode/config.json', config)
    writeFileSync(join(at.dir, 'ship.pdf'), pdf)
    const expected = documents ? 'media' : 'text'
    const ran = await at.anode(['execute', '--model', 'lab/m', '--image', 'ship.pdf', 'Read it'])
    expect([ran.code, sentAs(format, server.requests.at(-1) as Received)]).toEqual([0, expected])
    const editor = await startEditor(at, { words: ['--model', 'lab/m'] })
    const uri = pathToFileURL(join(at.dir, 'ship.pdf')).href
    const blocks = [
      { type: 'resource_link' as const, name: 'ship.pdf', uri },
      {
        type: 'resource' as const,
        resource: { uri: 'memory:ship.pdf', blob: base64, mimeType: 'application/pdf' },
      },
    ]
    for (const block of blocks) {
      const sessionId = await editor.open(at.dir)
      await editor.agent.request('session/prompt', { sessionId, prompt: [block] })
      expect(sentAs(format, server.requests.at(-1) as Received)).toBe(expected)
    }
  },
)

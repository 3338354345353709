// Odd inputs as users of other programs have reported them, by class, through the built program and as a model gets them.
import { appendFileSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { bodyOf, type ServedCall, type ServedReply, serveModel } from '../support/model-server.ts'
import { git } from '../support/repo.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
beforeEach(() => {
  at = world()
  onTestFinished(() => at.remove())
})

// biome-ignore lint/suspicious/noExplicitAny: requests have many shapes
type Body = any

/** Runs the program against a model that makes these calls in one response. Returns the requests. */
async function requestsOf(calls: readonly ServedCall[], config: object = {}, flags: readonly string[] = []) {
  const replies: ServedReply[] = [...(calls.length > 0 ? [{ calls }] : []), { text: 'done' }]
  const served = await serveModel(replies)
  onTestFinished(() => served.close())
  const providers = { me: { baseUrl: served.url, model: 'me', window: 200_000 } }
  at.put('../.config/anode/config.json', JSON.stringify({ providers, model: 'me/me', ...config }))
  const ended = await at.anode(['execute', 'go', '--approval', 'auto', ...flags])
  return { requests: served.requests.map(({ body }) => body as Body), ...ended }
}

const resultsIn = (body: Body): string[] =>
  body.messages.flatMap((one: Body) => (one.role === 'tool' ? [String(one.content)] : []))

/** A server over standard input that lists these tools. */
const mcpServer = `
const tools = JSON.parse(process.argv[2])
let rest = ''
process.stdin.on('data', (data) => {
  rest += data
  for (let at = rest.indexOf('\\n'); at >= 0; at = rest.indexOf('\\n')) {
    const { id, method, params } = JSON.parse(rest.slice(0, at))
    rest = rest.slice(at + 1)
    if (id === undefined) continue
    const result = method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      : method === 'tools/list' ? { tools } : method === 'tools/call' ? { content: [{ type: 'text', text: 'called ' + params.name }] } : {}
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  }
})
`

const object = { type: 'object', properties: {} }
const deep = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } }
/** One tool between two good ones. */
const badTools: Readonly<Record<string, unknown>> = {
  'an empty schema': { name: 'odd', inputSchema: {} },
  'no schema': { name: 'odd' },
  'a schema that is null': { name: 'odd', inputSchema: null },
  'a schema that is a text': { name: 'odd', inputSchema: 'object' },
  'a schema of another type': { name: 'odd', inputSchema: { type: 'array', items: {} } },
  'a list of types': { name: 'odd', inputSchema: { type: ['object', 'null'], properties: {} } },
  'properties in a list': { name: 'odd', inputSchema: { type: 'object', properties: [] } },
  'a property that is true': { name: 'odd', inputSchema: { type: 'object', properties: { a: true } } },
  'required that is true': {
    name: 'odd',
    inputSchema: { type: 'object', properties: { a: {} }, required: true },
  },
  'a reference to itself': { name: 'odd', inputSchema: { type: 'object', properties: { a: { $ref: '#' } } } },
  'a reference to nothing': {
    name: 'odd',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
  },
  'a schema 40 deep': { name: 'odd', inputSchema: deep(40) },
  'no name': { inputSchema: object },
  'an empty name': { name: '', inputSchema: object },
  'a name of spaces and slashes': { name: 'a b/c', inputSchema: object },
  'a name of 300 letters': { name: 'x'.repeat(300), inputSchema: object },
  'the name of another one': { name: 'one', inputSchema: object },
  'a description that is a number': { name: 'odd', description: 7, inputSchema: object },
  'notes that are a text': { name: 'odd', inputSchema: object, annotations: 'read only' },
  'an output schema that is not an object': {
    name: 'odd',
    inputSchema: object,
    outputSchema: { type: 'array' },
  },
  'no object at all': null,
}

describe('one bad tool of a server (case 13)', () => {
  it.each(Object.entries(badTools))('%s costs that tool alone', async (_, bad) => {
    at.put('../server.mjs', mcpServer)
    const good = (name: string) => ({ name, description: 'Good', inputSchema: object })
    const tools = JSON.stringify([good('one'), bad, good('two')])
    const mcpServers = {
      s: {
        command: process.execPath,
        args: [join(at.dir, '..', 'server.mjs'), tools],
        level: 'external_read',
      },
    }
    const calls = [{ name: 'mcp__s__two', args: {} }]
    const { requests, err } = await requestsOf(calls, { mcpServers })
    const names: string[] = requests[0].tools.map(({ function: { name } }: Body) => name)
    expect([names.includes('mcp__s__one'), names.includes('mcp__s__two'), err]).toEqual([true, true, err])
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[\w-]{1,64}$/.test(name))).toEqual([])
    for (const {
      function: { parameters },
    } of requests[0].tools)
      expect(parameters).toMatchObject({ type: 'object' })
    expect(resultsIn(requests[1]).join()).toContain('called two')
  })
})

const megabytes = 1_900_000
/** A file whose only line is long, by what it contains. */
const longLines: Readonly<Record<string, string>> = {
  'bundle.min.js': `var a=${JSON.stringify('x1y2 '.repeat(megabytes / 5))};`,
  'data.json': JSON.stringify(Array.from({ length: 100_000 }, (_, i) => ({ needle: i }))),
  'page.svg': `<svg>${'<path d="M0 0needle"/>'.repeat(megabytes / 22)}</svg>`,
  'letters.txt': 'é漢needle😀'.repeat(megabytes / 18),
  'blob.b64.txt': Buffer.alloc(megabytes, 'needle').toString('base64'),
}

describe('a command of 1.9 MB (case 15)', () => {
  it('fills no request, whichever tool shows it', async () => {
    for (const [name, text] of Object.entries(longLines)) at.put(name, `${text}\n`)
    at.put('AGENTS.md', `Be kind. ${'needle '.repeat(60_000)}\n`)
    at.put(
      '.agents/skills/one/SKILL.md',
      `---\nname: one\ndescription: ${'needle '.repeat(20_000)}\n---\n${'needle '.repeat(200_000)}\n`,
    )
    git(at.dir, 'init', '-q', '-b', 'main')
    git(at.dir, 'add', '-A')
    git(at.dir, 'commit', '-q', '-m', 'first')
    appendFileSync(join(at.dir, 'bundle.min.js'), 'changed')
    const names = Object.keys(longLines)
    const calls: ServedCall[] = [
      ...names.map((path) => ({ name: 'read', args: { path } })),
      { name: 'multi_read', args: { paths: names } },
      { name: 'grep', args: { pattern: 'needle' } },
      { name: 'grep', args: { pattern: 'x1y2', context: 2 } },
      { name: 'finder', args: { query: 'needle', mode: 'text' } },
      { name: 'finder', args: { query: 'where is the needle', mode: 'passage' } },
      { name: 'bash', args: { command: 'cat bundle.min.js' } },
      { name: 'bash', args: { command: 'git diff; cat data.json >&2; exit 3' } },
      { name: 'edit_file', args: { path: 'data.json', old_str: '"needle":77}', new_str: '"n":77}' } },
      { name: 'edit_file', args: { path: 'page.svg', old_str: 'not there', new_str: 'x' } },
      { name: 'skill', args: { name: 'one' } },
    ]
    const { requests } = await requestsOf(calls)
    expect(resultsIn(requests[1])).toHaveLength(calls.length)
    for (const [i, text] of resultsIn(requests[1]).entries())
      expect([calls[i]?.name, text.length < 200_000]).toEqual([calls[i]?.name, true])
    const whole = JSON.stringify(requests[1]).length
    // an eighth of the window of 200,000 tokens for all, and the instructions
    expect([whole, whole < 400_000]).toEqual([whole, true])
    expect(JSON.stringify(requests[0]).length).toBeLessThan(120_000)
  })
})

/** What the file has, what the model writes, and the character that differs. */
const unseen: readonly [what: string, file: string, wanted: string, mark: RegExp][] = [
  ['a no-break space in the file', 'a\u00a0b = 1', 'a b = 1', /a0|no-break/i],
  ['a no-break space of the model', 'a b = 1', 'a\u00a0b = 1', /a0|no-break/i],
  ['a zero width space', 'a\u200bb = 1', 'ab = 1', /200b|zero.width/i],
  ['a soft hyphen', 'co\u00adop = 1', 'coop = 1', /ad\b|soft/i],
  ['a byte order mark inside', 'x\ufeffy = 1', 'xy = 1', /feff/i],
  ['a decomposed letter', 'cafe\u0301 = 1', 'caf\u00e9 = 1', /301|decomposed|composed/i],
  ['full width letters', '\uff41\uff42 = 1', 'ab = 1', /ff41|full.?width/i],
  ['an ideographic space', 'a\u3000b = 1', 'a b = 1', /3000/],
  ['a thin space', 'a\u2009b = 1', 'a b = 1', /2009/],
  ['a no-break hyphen', 'a\u2011b = 1', 'a-b = 1', /2011|hyphen/i],
  ['a dash', 'a \u2013 b', 'a - b', /2013|dash/i],
  ['a minus sign', 'x = \u22121', 'x = -1', /2212|minus/i],
  ['curly quotes', 'say \u201chi\u201d', 'say "hi"', /201c|curly|quote/i],
  ['an apostrophe', 'don\u2019t', "don't", /2019|curly|quote/i],
  ['an ellipsis', 'wait\u2026', 'wait...', /2026|ellipsis/i],
  ['a ligature', 'o\ufb03ce = 1', 'office = 1', /fb03|ligature/i],
  ['a Cyrillic letter', 'n\u0430me = 1', 'name = 1', /430|cyrillic/i],
  ['a tab', 'if x:\n\treturn 1', 'if x:\n    return 1', /tab|indent|white.?space/i],
  ['a joiner in a word', 'a\u200db = 1', 'ab = 1', /200d|zero.width|joiner/i],
  ['a line separator', 'a\u2028b = 1', 'a\nb = 1', /2028/],
]

describe('a difference that cannot be seen (case 31)', () => {
  it('is named in the error of a failed edit, or the edit is made', async () => {
    const calls = unseen.map(([, text, old_str], i) => {
      at.put(`f${i}.txt`, `first\n${text}\nlast\n`)
      return { name: 'edit_file', args: { path: `f${i}.txt`, old_str, new_str: 'DONE' } }
    })
    const { requests } = await requestsOf(calls)
    const results = resultsIn(requests[1])
    const silent = unseen.flatMap(([what, , , mark], i) => {
      const isDone = readFileSync(join(at.dir, `f${i}.txt`), 'utf8').includes('DONE')
      return isDone || mark.test(results[i] ?? '') ? [] : [`${what}: ${results[i]}`]
    })
    expect(silent).toEqual([])
  })
})

/** Ends of an address, what a request asks for, by the wire. */
const wires = [
  ['chat', 'chat/completions'],
  ['responses', 'responses'],
  ['messages', 'messages'],
] as const
const queries = ['?api-version=preview', '?api-version=2025-01-01&sig=a%2Fb%3D', '?key=a+b', '?flag', '?']

describe('an address with a query (case 39)', () => {
  it.each(wires.flatMap(([wire, path]) => queries.map((query) => [wire, path, query] as const)))(
    '%s asks for %s behind the path of an address with %s',
    async (apiFormat, path, query) => {
      const asked: string[] = []
      const server = createServer((request: IncomingMessage, response) => {
        asked.push(`${request.method} ${request.url}`)
        request.resume()
        request.on('end', () => {
          if (request.method === 'GET') return void response.writeHead(404).end('{}')
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end(bodyOf({ text: 'fine' }, apiFormat))
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo
      for (const base of [`/deep/v1`, `/deep/v1/`]) {
        asked.length = 0
        const az = {
          baseUrl: `http://127.0.0.1:${port}${base}${query}`,
          apiKey: 'k',
          model: 'm',
          window: 128_000,
          apiFormat,
        }
        at.put('../.config/anode/config.json', JSON.stringify({ providers: { az } }))
        const { out, err, code } = await at.anode(['execute', 'x', '--model', 'az/m'])
        const wanted = `POST /deep/v1/${path}${query === '?' ? '' : query}`
        const posts = asked.filter((one) => one.startsWith('POST')).map((one) => one.replace(/\?$/, ''))
        expect([posts, code, err]).toEqual([[wanted], 0, err])
        expect(out).toContain('fine')
        // what it asks about the model has the query as well
        for (const got of asked.filter((one) => one.startsWith('GET') && query.length > 1))
          expect(got).toContain(query.slice(1))
      }
    },
  )
  it('rejects a fragment, or sends the request without it', async () => {
    const served = await serveModel([{ text: 'fine' }])
    onTestFinished(() => served.close())
    const az = { baseUrl: `${served.url}#part`, apiKey: 'k', model: 'm', window: 128_000 }
    at.put('../.config/anode/config.json', JSON.stringify({ providers: { az } }))
    const { code, err } = await at.anode(['execute', 'x', '--model', 'az/m'])
    const isAsked = served.requests[0]?.path === '/v1/chat/completions'
    expect(isAsked || (code === 2 && /#|fragment/.test(err)) ? '' : `${code} ${err}`).toBe('')
  })
})

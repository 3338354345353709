// Lists as servers declare them, in every position of a schema: the strictest endpoint accepts each request,
// no tool is missing, and a list reaches the server as the model wrote it.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHeadless } from '../../../internal/runtime/run/headless-run.ts'
import { features } from '../../../internal/service/features/index.ts'
import { type Received, type ServedFormat, serveModel } from '../../support/model-server.ts'
import { scratchWith } from '../../support/scratch.ts'
import { root } from '../../support/sources.ts'
import { strictFaults } from '../../support/strict/strict-endpoint.ts'

type Json = Record<string, unknown>
const text = { type: 'string' }
const list = { type: 'array' }

/** Values of the lists whose items are not texts. */
const values: Readonly<Record<string, unknown>> = {
  'items false': [],
  'a tuple': ['a', ['b']],
  'a tuple of booleans': ['a'],
  'prefix items': [['a'], 'b'],
  'lists of lists': [[['a']]],
  'items by reference': [['a']],
  'an enum of lists': ['b'],
}

/** Declarations of a list that some endpoint rejects, or that some converter breaks. */
const lists: Readonly<Record<string, Json>> = {
  bare: list,
  nullable: { type: ['array', 'null'] },
  'of several types': { type: ['string', 'array', 'object'] },
  capitals: { type: 'ARRAY' },
  'items true': { ...list, items: true },
  'items false': { ...list, items: false },
  'items null': { ...list, items: null },
  'items as text': { ...list, items: 'string' },
  'items empty': { ...list, items: {} },
  'a tuple': { ...list, items: [text, list] },
  'an empty tuple': { ...list, items: [] },
  'a tuple of booleans': { ...list, items: [true, false], additionalItems: false },
  'prefix items': { ...list, prefixItems: [list, text], items: false },
  'lists of lists': { ...list, items: { ...list, items: list } },
  'items of a choice': { ...list, items: { oneOf: [text, list] } },
  'items by reference': { ...list, items: { $ref: '#/$defs/List' } },
  'by reference': { $ref: '#/definitions/List' },
  'only bounds': { ...list, minItems: 1, maxItems: '9', uniqueItems: true },
  'only contains': { ...list, contains: text, minContains: 1 },
  'only a default': { ...list, default: [], examples: [['a']] },
  'an enum of lists': { ...list, enum: [['a'], ['b']] },
  'of unevaluated items': { ...list, unevaluatedItems: { ...list } },
}

/** Positions of a list, with the argument that puts a value there. */
const places: Readonly<Record<string, [schema: (part: Json) => Json, args: (value: unknown) => Json]>> = {
  property: [(part) => object({ xs: part }), (value) => ({ xs: value })],
  'required property': [
    (part) => ({ ...object({ xs: part }), required: ['xs'] }),
    (value) => ({ xs: value }),
  ],
  'nested property': [
    (part) => object({ a: object({ b: object({ xs: part }) }) }),
    (value) => ({ a: { b: { xs: value } } }),
  ],
  'object in a list': [
    (part) => object({ rows: { ...list, items: object({ xs: part }) } }),
    (value) => ({ rows: [{ xs: value }] }),
  ],
  'values of a map': [
    (part) => object({ map: { type: 'object', additionalProperties: part } }),
    (value) => ({ map: { k: value } }),
  ],
  choice: [(part) => object({ xs: { anyOf: [text, part] } }), (value) => ({ xs: value })],
  intersection: [(part) => object({ xs: { allOf: [part, { title: 'x' }] } }), (value) => ({ xs: value })],
  'a form of all arguments': [
    (part) => ({ type: 'object', oneOf: [object({ xs: part }), object({ y: text })] }),
    (value) => ({ xs: value }),
  ],
}

function object(properties: Json): Json {
  return { type: 'object', properties }
}

const definitions = { $defs: { List: list }, definitions: { List: list } }
const rows = Object.entries(lists).flatMap(([what, part]) =>
  Object.entries(places).map(([where, [schema, args]]) => ({
    ...{ title: `${what}, ${where}`, schema: schema(part), args: args(values[what] ?? ['a', 'b']) },
  })),
)

const tools = rows.map(({ title, schema }, i) => ({
  ...{ name: `t${i}`, description: title, inputSchema: { ...schema, ...definitions } },
}))

/** The number of tools that fit into a request with the native ones. */
const perRun = 60
const parts = Array.from({ length: Math.ceil(tools.length / perRun) }, (_, i) => i)
const formats: ServedFormat[] = ['chat', 'responses', 'messages']

/** A text as it is within JSON. */
const quoted = (text: string) => JSON.stringify(text).slice(1, -1)

const namesIn = ({ body }: Received): string[] =>
  (body.tools as { name?: string; function?: { name: string } }[]).map(
    (tool) => tool.function?.name ?? tool.name ?? '',
  )

test.each(formats.flatMap((format) => parts.map((part) => ({ format, part }))))(
  `lists in schemas over $format, part $part of ${parts.length} (${rows.length} rows)`,
  async ({ format, part }) => {
    const own = tools.slice(part * perRun, (part + 1) * perRun)
    // every third tool is called, which covers each list and each position
    const calls = own.flatMap(({ name }, i) =>
      i % 3 === part ? [{ name: `mcp__s__${name}`, id: `c${i}`, args: rows[part * perRun + i]?.args }] : [],
    )
    const faults: string[] = []
    const server = await serveModel((request, n) => {
      faults.push(...strictFaults(format, request.body))
      return n === 0 ? { calls } : { text: 'done' }
    })
    const at = scratchWith({ 'tools.json': JSON.stringify(own), 'ws/a': '' })
    const fake = [join(root, 'test/support/servers/fake.mjs'), 'given', join(at, 'tools.json')]
    const config = {
      model: 'openai/any',
      providers: { openai: { baseUrl: server.url, apiKey: 'k', apiFormat: format } },
      mcpServers: { s: { command: process.execPath, args: fake, alwaysLoad: true } },
    }
    const home = scratchWith({ 'config/anode/config.json': JSON.stringify(config) })
    try {
      const { end } = await runHeadless({
        ...{
          cwd: join(at, 'ws'),
          profile: 'craft',
          prompt: 'go',
          mode: 'unrestricted',
          addDirs: [],
          features,
        },
        env: {
          PATH: process.env.PATH,
          HOME: home,
          ANODE_DATA_DIR: join(home, 'data'),
          XDG_CONFIG_HOME: join(home, 'config'),
        },
        ...{ signal: new AbortController().signal, terminal: undefined, caps: {}, show: () => undefined },
        ...{
          ask: async () => ({ allow: false, why: 'a test' }),
          inbox: async () => [],
          note: () => undefined,
        },
      })
      expect(faults).toEqual([])
      expect(end).toMatchObject({ end: 'done', text: 'done' })
      const last = server.requests.at(-1) as Received
      expect(namesIn(last)).toEqual(expect.arrayContaining(own.map(({ name }) => `mcp__s__${name}`)))
      // a result has the arguments that reached the server
      const missing = calls.filter(({ args }) => !last.raw.includes(quoted(`Echo: ${JSON.stringify(args)}`)))
      expect(missing).toEqual([])
      expect(last.raw.match(/Echo: /g)).toHaveLength(calls.length)
    } finally {
      await server.close()
    }
  },
)

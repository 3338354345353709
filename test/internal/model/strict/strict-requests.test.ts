// The matrix of odd responses, histories and schemas in each wire format, against a server as strict as the
// strictest endpoint: every call gets one result, and every later request is accepted.
import { describe, expect, test } from 'vitest'
import type { ToolSpec } from '../../../../internal/model/model.ts'
import type { EndpointQuirks } from '../../../../internal/model/wire/endpoint-quirks.ts'
import { flattenSchema } from '../../../../internal/tool-support/foreign-schema.ts'
import type { ServedFormat, ServedReply } from '../../../support/model-server.ts'
import { choice, type Rng, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'
import { plainReplies } from '../../../support/strict/plain-replies.ts'
import {
  argumentTexts,
  endingRows,
  historyRows,
  idRows,
  names,
  reasoningRows,
  textRows,
  usageRows,
} from '../../../support/strict/strict-rows.ts'
import {
  formats,
  nativeSpecs,
  runStrict,
  type StrictRun,
  type StrictSetup,
  unpaired,
} from '../../../support/strict/strict-run.ts'
import { schemaRows } from '../../../support/strict/strict-schemas.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what was sent
type Body = any

/** Ends that are correct after some response. A failure of the program itself is never correct. */
const fineEnds = ['done', 'partial']

function checkRun({ end, faults, messages }: StrictRun): void {
  expect(faults).toEqual([])
  expect(unpaired(messages)).toEqual([])
  expect(end.end === 'failed' ? end.reason : 'fine').not.toBe('bad_request')
  for (const message of messages)
    if (message.role === 'tool' && message.failed) expect(String(message.content).length).toBeGreaterThan(20)
}

async function runRow(format: ServedFormat, replies: readonly ServedReply[], setup?: StrictSetup) {
  const run = await runStrict(format, replies, setup)
  checkRun(run)
  return run
}

const results = ({ messages }: StrictRun) => messages.filter(({ role }) => role === 'tool')

const allFields: EndpointQuirks = {
  ...{ cacheKey: true, efforts: [[/./, ['low', 'medium', 'high']]], reportsCost: true, cacheControl: /./ },
}

/** Fields that every request needs. */
const needed = new Set(['model', 'stream', 'messages', 'input', 'tools', 'system', 'store', 'max_tokens'])

const fieldRefusals: readonly ((field: string) => string)[] = [
  (field) => `Unsupported parameter: '${field}' is not supported with this model.`,
  (field) => `Unrecognized request argument supplied: ${field}`,
  (field) => `${field}: Extra inputs are not permitted`,
  (field) => `Unknown field "${field}"`,
]

const toolRefusals = [
  'tools.#.custom.input_schema: JSON schema is invalid',
  "Invalid schema for function '@': array schema missing items",
  "Invalid 'tools[#].function.name': string does not match pattern",
  'GenerateContentRequest.tools[0].function_declarations[#].parameters.properties: is not allowed',
]

/** Returns the message with the position or the name that the tool has in this request. */
function refuseTool(raw: string, wording: string): string {
  const tools: { name?: string; function?: { name: string } }[] = JSON.parse(raw).tools ?? []
  const at = tools.findIndex((tool) => (tool.function?.name ?? tool.name) === 'mcp__x__y')
  return at < 0 ? '' : wording.replace('#', String(at)).replace('@', 'mcp__x__y')
}

describe.each(formats)('%s', (format) => {
  describe('tool names', () => {
    test.each(names)('a call of %j gets one result', async (name) => {
      const run = await runRow(format, [{ calls: [{ name, args: { word: 'a' } }] }])
      expect(run.end.end).toBe('done')
      expect(results(run)).toHaveLength(1)
    })
  })

  describe('arguments of calls', () => {
    test.each(argumentTexts.map((raw) => [raw.slice(0, 40), raw]))(
      'a call with %j ends the run normally',
      async (_, raw) => {
        const calls = [
          { name: 'echo', raw },
          { name: 'nosuch', raw, id: 'c2' },
        ]
        const run = await runRow(format, [{ calls }, { text: 'x', calls: [calls[0] as (typeof calls)[0]] }])
        expect(run.end.end).toBe('done')
        expect(results(run).length).toBeGreaterThan(1)
      },
    )
  })

  describe('ids', () => {
    test.each(Object.entries(idRows))('%s', async (_, replies) => {
      expect((await runRow(format, replies)).end.end).toBe('done')
    })
  })

  describe('texts', () => {
    test.each(Object.entries(textRows))('%s', async (_, replies) => {
      expect((await runRow(format, replies)).end.end).toBe('done')
    })
  })

  describe('end reasons', () => {
    test.each(endingRows)('$title', async ({ reply }) => {
      const run = await runRow(format, [reply, reply, reply])
      expect([...fineEnds, 'failed']).toContain(run.end.end)
      if (reply.finish === undefined) expect(run.end.end).toBe('done')
    })
  })

  describe('one JSON object', () => {
    test.each(plainReplies(format))('%s', async (_, reply, calls) => {
      const run = await runRow(format, [reply])
      expect(run.end.end).toBe('done')
      expect(results(run)).toHaveLength(calls)
      expect(run.requests).toHaveLength(calls > 0 ? 2 : 1)
    })
  })

  describe('reasoning', () => {
    test.each(Object.entries(reasoningRows))('%s', async (_, replies) => {
      expect((await runRow(format, replies)).end.end).toBe('done')
    })
  })

  describe('token usage', () => {
    test.each(usageRows.map((usage) => [usage]))('accepts the usage %j', async (usage) => {
      const run = await runRow(format, [
        { calls: [{ name: 'echo', args: { word: 'a' } }], ...(usage !== undefined && { usage }) },
      ])
      expect(run.end.end).toBe('done')
      for (const draft of run.drafts)
        if (draft.type === 'usage')
          for (const count of [draft.payload.input, draft.payload.output])
            expect(count >= 0 && Number.isFinite(count)).toBe(true)
    })
  })

  describe('histories', () => {
    test.each(Object.entries(historyRows))('%s', async (_, history) => {
      for (const tools of [nativeSpecs, []]) {
        const { end, faults } = await runStrict(format, [], { history, tools })
        expect(faults).toEqual([])
        expect(end.end).toBe('done')
      }
    })
  })

  describe('refusals', () => {
    test('drops each optional field, in each wording of the refusal', async () => {
      const probe = await runRow(format, [], { quirks: allFields })
      const body = probe.requests[0]?.body as Record<string, unknown>
      const fields = Object.keys(body).filter((field) => !needed.has(field))
      expect(fields.length).toBeGreaterThan(0)
      for (const field of fields)
        for (const wording of fieldRefusals) {
          const run = await runRow(format, [{ calls: [{ name: 'echo', args: { word: 'a' } }] }], {
            quirks: allFields,
            refuse: ({ body }) => (field in body ? wording(field) : undefined),
          })
          expect([field, run.end.end]).toEqual([field, 'done'])
          expect(run.requests).toHaveLength(3)
        }
    })

    test.each(toolRefusals)('drops a rejected tool of an MCP server: %s', async (wording) => {
      const tools = [
        ...nativeSpecs,
        { ...(nativeSpecs[0] as ToolSpec), name: 'mcp__x__y', foreign: true as const },
      ]
      const run = await runRow(format, [{ calls: [{ name: 'mcp__x__y', args: {} }] }], {
        tools,
        refuse: ({ raw }) => refuseTool(raw, wording) || undefined,
      })
      expect(run.end.end).toBe('done')
      expect(run.drafts.filter(({ type }) => type === 'model.notice')).toHaveLength(1)
    })

    test('never drops a native tool', async () => {
      const run = await runStrict(format, [], { refuse: () => "Invalid schema for function 'echo'" })
      expect(run.end).toMatchObject({ end: 'failed', reason: 'bad_request' })
      expect(run.requests.every(({ raw }) => raw.includes('"echo"'))).toBe(true)
    })
  })

  test(`schemas: ${schemaRows.length} of them`, async () => {
    expect(schemaRows.length).toBeGreaterThan(200)
    const all = schemaRows.map(
      ([title, raw], i): ToolSpec => ({
        ...{ name: `t${i}`, description: title, schema: flattenSchema(raw), foreign: true },
      }),
    )
    for (let at = 0; at < all.length; at += 100) {
      const run = await runRow(format, [], { tools: all.slice(at, at + 100) })
      expect(run.requests).toHaveLength(1)
      expect(run.end.end).toBe('done')
    }
  })
})

describe('learning from the errors of a chat endpoint', () => {
  const calls = [{ name: 'echo', args: { word: 'a' } }]
  const again = [{ name: 'picture', args: {}, id: 'p' }]
  const isReply = ({ role }: { role: string }) => role === 'assistant'
  const rows: readonly [string, (body: Body) => string | undefined, readonly ServedReply[]][] = [
    [
      'no reasoning in the history',
      ({ messages }) =>
        messages.some((one: Body) => 'reasoning_content' in one)
          ? "Extra input: 'reasoning_content'"
          : undefined,
      [
        { reasoning: 'Hm.', calls },
        { reasoning: 'Oh.', calls: again },
      ],
    ],
    [
      'reasoning with each call',
      ({ messages }) =>
        messages.some((one: Body) => isReply(one) && one.tool_calls && !one.reasoning_content)
          ? 'The reasoning_content in the thinking mode must be passed back to the API.'
          : undefined,
      [{ calls }, { reasoning: 'Oh.', calls: again }],
    ],
    ...["Unexpected role 'user' after role 'tool'", 'Conversation roles must alternate user/assistant'].map(
      (wording): (typeof rows)[number] => [
        wording,
        ({ messages }) =>
          messages.some((one: Body, i: number) => one.role === 'user' && messages[i - 1]?.role === 'tool')
            ? wording
            : undefined,
        [{ calls: again }, { calls }],
      ],
    ),
  ]
  test.each(rows)('%s', async (_, refuse, replies) => {
    let refused = 0
    const run = await runRow('chat', replies, {
      refuse: ({ body }) => {
        const why = refuse(body)
        if (why !== undefined) refused++
        return why
      },
    })
    expect(run.end.end).toBe('done')
    expect(refused).toBe(1)
  })
})

/** Returns any response of a row, or a mix of several. */
function anyReply(next: Rng): ServedReply {
  const lists = [idRows, textRows, reasoningRows].flatMap((rows) => Object.values(rows).flat())
  const reply = choice(next, [...lists, ...endingRows.map((row) => row.reply)])
  const count = next() < 0.5 ? 0 : 1 + Math.floor(next() * 4)
  if (count === 0) return reply
  const calls = Array.from({ length: count }, () => ({
    name: next() < 0.5 ? 'echo' : choice(next, names),
    raw: choice(next, argumentTexts),
    ...(next() < 0.5 && { id: choice(next, ['', 'a', 'call_0', 'call_0_2', 'x'.repeat(99), 'ü', ' ']) }),
  }))
  const { finish: _, ...rest } = reply
  return { ...rest, calls, ...(next() < 0.2 && { usage: choice(next, usageRows) ?? null }) }
}

test.each(Array.from({ length: rounds(20, 400) }, (_, i) => [formats[i % 3] as ServedFormat, i]))(
  'any conversation over %s, seed %i',
  async (format, seed) => {
    const next = rng(seed + Number(process.env.ANODE_SEED ?? 0))
    const replies = Array.from({ length: 1 + Math.floor(next() * 8) }, () => anyReply(next))
    const history = next() < 0.5 ? choice(next, Object.values(historyRows)) : []
    const { end, faults, messages } = await runStrict(format, replies, { history })
    expect(faults).toEqual([])
    expect(unpaired(messages.slice(history.length))).toEqual([])
    expect(end.end === 'failed' ? end.reason : 'fine').not.toMatch(/bad_request|internal/)
  },
)

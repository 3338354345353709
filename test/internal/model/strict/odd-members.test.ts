// Cases from public reports that the matrix of odd responses does not contain.
import { describe, expect, test } from 'vitest'
import type { Received, ServedFormat } from '../../../support/model-server.ts'
import { sampleRows } from '../../../support/sample.ts'
import { heldStreams } from '../../../support/strict/held-streams.ts'
import { formats, runStrict } from '../../../support/strict/strict-run.ts'
import { thinkingRows } from '../../../support/strict/thinking-streams.ts'
import { wholeParts } from '../../../support/strict/whole-parts.ts'

const streamed = { status: 200, headers: { 'content-type': 'text/event-stream' } }
const results = ({ messages }: Awaited<ReturnType<typeof runStrict>>) =>
  messages.filter(({ role }) => role === 'tool')

describe.each(formats)('%s', (format) => {
  test.each(wholeParts(format))('%s', async (title, body) => {
    const isText = title.startsWith('text')
    const run = await runStrict(format, [{ ...streamed, body }])
    expect(run.faults).toEqual([])
    expect(run.end.end).toBe('done')
    expect(run.requests).toHaveLength(isText ? 1 : 2)
    if (isText) expect(run.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'whole answer' })
    else expect(results(run)).toMatchObject([{ content: 'a' }])
  })
})

/** Arguments that a model has written as JSON inside of JSON, nested one to three times. */
const encodedRows = ([{ word: 'a' }, ['a'], 'a', 7, true, null] as const).flatMap((value) =>
  [1, 2, 3].flatMap((times) =>
    formats.map((format): [ServedFormat, number, string, string] => {
      const text = JSON.stringify(value)
      let raw = text
      for (let i = 0; i < times; i++) raw = JSON.stringify(raw)
      return [format, times, text, raw]
    }),
  ),
)

test.each(sampleRows(encodedRows, 2))(
  'arguments over %s, encoded %i times: %s',
  async (format, times, text, raw) => {
    const run = await runStrict(format, [{ calls: [{ name: 'echo', raw }] }])
    expect(run.faults).toEqual([])
    expect(run.end.end).toBe('done')
    expect(run.requests).toHaveLength(2)
    if (text === '{"word":"a"}' && times === 1) expect(results(run)).toMatchObject([{ content: 'a' }])
    else expect(results(run)).toMatchObject([{ failed: expect.anything() }])
  },
)

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what was sent
const repliesOf = ({ body }: Received): any[] =>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  body.messages.filter((one: any) => one.role === 'assistant' && one.tool_calls)

test.each(thinkingRows.map((row) => [row.title, row] as const))(
  'returns reasoning to the model that sent it: %s',
  async (_, { field, thought, reply }) => {
    const run = await runStrict('chat', [reply, { calls: [{ name: 'picture', args: {} }] }], {
      refuse: (received) =>
        repliesOf(received)
          .slice(0, 1)
          .some((one) => one[field] !== thought)
          ? `The ${field} in the thinking mode must be passed back to the API.`
          : undefined,
    })
    expect(run.faults).toEqual([])
    expect(run.end.end).toBe('done')
    expect(run.requests).toHaveLength(3)
    expect(repliesOf(run.requests[2] as Received)[0][field]).toBe(thought)
  },
)

test.each(Object.entries(heldStreams))(
  'a chat response is complete although the connection stays open: %s',
  async (_, body) => {
    const hold = { at: Buffer.byteLength(body), until: new Promise(() => undefined) }
    // what never comes keeps the body open
    const run = await runStrict('chat', [{ ...streamed, body: `${body}: late\n\n`, hold }])
    expect(run.faults).toEqual([])
    expect(run.end).toMatchObject({ end: 'done', text: 'whole answer' })
    expect(run.requests).toHaveLength(1)
  },
)

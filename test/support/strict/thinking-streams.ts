// Chat replies with reasoning and calls, in each field and order in which endpoints send them.
import type { ServedReply } from '../model-server.ts'

type Delta = Readonly<Record<string, unknown>>

const thought = 'Look at\nthe word first.'
const call = (index: number) => ({
  ...{ index, id: `c${index}`, type: 'function' },
  function: { name: 'echo', arguments: JSON.stringify({ word: `w${index}` }) },
})
const choice = (delta: Delta, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const stream = (chunks: readonly unknown[]): ServedReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
})

/** The deltas of a reply, from its reasoning in `field` and its calls. */
const orders: Readonly<Record<string, (field: string, calls: readonly unknown[]) => Delta[]>> = {
  'in pieces': (field, calls) => [
    { role: 'assistant', [field]: thought.slice(0, 5) },
    { [field]: thought.slice(5) },
    { tool_calls: calls },
  ],
  'with empty pieces between': (field, calls) => [
    { role: 'assistant', content: '', [field]: '' },
    { content: null, [field]: thought.slice(0, 9) },
    { content: '', [field]: null },
    { content: null, [field]: thought.slice(9) },
    { content: '', tool_calls: calls },
  ],
  'in the piece of the call': (field, calls) => [{ role: 'assistant', [field]: thought, tool_calls: calls }],
  'after the text': (field, calls) => [
    { role: 'assistant', content: 'I call it.' },
    { [field]: thought },
    { tool_calls: calls },
  ],
  'after the call': (field, calls) => [{ role: 'assistant', tool_calls: calls }, { [field]: thought }],
}

export interface ThinkingRow {
  title: string
  field: string
  thought: string
  reply: ServedReply
}

/** Each field x order x number of calls, and one JSON object instead of a stream. */
export const thinkingRows: readonly ThinkingRow[] = ['reasoning_content', 'reasoning'].flatMap((field) =>
  [1, 2].flatMap((count) => {
    const calls = Array.from({ length: count }, (_, index) => call(index))
    const row = (title: string, reply: ServedReply) => ({
      ...{ title: `${field} ${title}, ${count} calls`, field, thought, reply },
    })
    const message = { role: 'assistant', content: null, [field]: thought, tool_calls: calls }
    const whole = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    return [
      ...Object.entries(orders).map(([title, order]) =>
        row(title, stream([...order(field, calls).map((delta) => choice(delta)), choice({}, 'tool_calls')])),
      ),
      row('in one object', { status: 200, headers: { 'content-type': 'application/json' }, body: whole }),
    ]
  }),
)

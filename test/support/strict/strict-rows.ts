// Odd replies, histories and schemas, by what is odd about them.
import type { ModelMessage } from '../../../internal/model/model.ts'
import type { ServedCall, ServedReply } from '../model-server.ts'

const deep = `${'['.repeat(600)}${']'.repeat(600)}`

export const names = [
  ...['echo', 'functions.echo', 'default_api:echo', 'echo<|channel|>commentary', ' echo ', 'Echo', 'ECHO'],
  ...['', ' ', 'a b', 'é', '工具', 'x'.repeat(457), 'a/b', 'a.b.c', 'multi_tool_use.parallel', '__proto__'],
  ...['constructor', '{"name":"echo"}', 'echo\n', '💥', '-', 'echo(word="a")', 'mcp__x__y', '$ref'],
]

export const argumentTexts = [
  ...['{}', '', ' ', 'null', '{"word":"a"}', '"{\\"word\\":\\"a\\"}"', '[]', '["a"]', '"a"', '7', 'true'],
  ...[
    '{word: a}',
    '{"word":"a"',
    '{"word":"a"}}',
    '{"word":"a"}{"word":"b"}',
    '{"word":"a",}',
    "{'word':'a'}",
  ],
  ...[
    '```json\n{"word":"a"}\n```',
    '{"word":"\\ud800"}',
    '{"word":"\\u0000"}',
    '{"word":null}',
    '{"word":1}',
  ],
  ...[
    '{"words":"a"}',
    '{"word":"a","wobble":1}',
    '{"__proto__":{"a":1},"word":"a"}',
    '{"word":"a","word":"b"}',
  ],
  ...[
    'NaN',
    'undefined',
    '<parameter name="word">a</parameter>',
    deep,
    `{"word":${deep}}`,
    '{"word":"a\nb"}',
  ],
  ...[`{"word":"${'x'.repeat(200_000)}`, `{"word":"${'x'.repeat(100_000)}"}`, '{"":{"":[]}}', '﻿{"word":"a"}'],
]

const call = (more: Partial<ServedCall> = {}): ServedCall => ({ name: 'echo', args: { word: 'a' }, ...more })

/** Each list is the replies of one run. */
export const idRows: Readonly<Record<string, readonly ServedReply[]>> = {
  'the same id in each reply': [
    { calls: [call({ id: 'call_0' })] },
    { calls: [call({ id: 'call_0', args: { word: 'b' } })] },
  ],
  'the same id for the same call again': [{ calls: [call({ id: 'a' })] }, { calls: [call({ id: 'a' })] }],
  'one id for two calls': [{ calls: [call({ id: 'a' }), call({ id: 'a', args: { word: 'b' } })] }],
  'one id for one call twice': [{ calls: [call({ id: 'a' }), call({ id: 'a' })] }],
  'no ids': [
    { calls: [call({ id: '' }), call({ id: '', args: { word: 'b' } })] },
    { calls: [call({ id: '' })] },
  ],
  'blank ids': [{ calls: [call({ id: ' ' }), call({ id: '  ', args: { word: 'b' } })] }],
  'long ids': [
    { calls: [call({ id: 'x'.repeat(300) }), call({ id: `${'x'.repeat(200)}y`, args: { word: 'b' } })] },
  ],
  'odd ids': [
    { calls: ['call:1', 'ü', 'a b', '1|2', '__proto__'].map((id) => call({ id, args: { word: id } })) },
  ],
  'ids that look renamed': [
    { calls: [call({ id: 'a' })] },
    { calls: [call({ id: 'a_2' })] },
    { calls: [call({ id: 'a' }), call({ id: 'a_2', args: { word: 'b' } })] },
  ],
}

const written = [
  '<tool_call>{"name":"echo","arguments":{"word":"a"}}</tool_call>',
  '<function=echo><parameter=word>a</parameter></function>',
  '<invoke name="echo"><parameter name="word">a</parameter></invoke>',
  '[TOOL_CALLS][{"name":"echo","arguments":{"word":"a"}}]',
  'TOOL: {"name": "echo", "args": {"word": "a"}}',
  '<tool_call>{"name":"nosuch","arguments":{}}',
]

export const textRows: Readonly<Record<string, readonly ServedReply[]>> = {
  'an empty reply': [{ text: '' }],
  'a blank reply': [{ text: ' \n\t ' }],
  'a no-break space': [{ text: '\u00a0' }],
  'blank text before calls': [{ text: '\n\n', calls: [call()] }],
  'text before calls': [{ text: 'I look. ', calls: [call(), call({ args: { word: 'b' } })] }],
  'an image as result': [{ calls: [call({ name: 'picture', args: {} })] }],
  'an image and a text as results': [{ calls: [call({ name: 'picture', args: {} }), call({ id: 'c9' })] }],
  'an empty result': [{ calls: [call({ args: { word: '' } })] }],
  'a result of spaces': [{ calls: [call({ args: { word: ' \n ' } })] }],
  'control characters': [{ text: 'a\u0000b\u001b[31mc', calls: [call({ args: { word: '\u0000\u001b' } })] }],
  'an endless line': [{ text: 'x'.repeat(300_000), calls: [call()] }],
  'only think tags': [{ text: '<think>So.</think>' }],
  'think tags before calls': [{ text: '<think>So.</think>\n\n', calls: [call()] }],
  'forty calls': [
    { calls: Array.from({ length: 40 }, (_, i) => call({ id: `c${i}`, args: { word: `${i}` } })) },
  ],
  ...Object.fromEntries(written.map((text) => [`a written call ${text.slice(0, 18)}`, [{ text }]])),
  ...Object.fromEntries(
    written.map((text) => [`words and a written call ${text.slice(0, 18)}`, [{ text: `Now:\n\n${text}` }]]),
  ),
}

const bodies: Readonly<Record<string, ServedReply>> = {
  text: { text: 'An answer.' },
  calls: { calls: [call()] },
  both: { text: 'I look.', calls: [call(), call({ id: 'c7', args: { word: 'b' } })] },
}

export const endingRows: readonly { title: string; reply: ServedReply }[] = Object.entries(bodies).flatMap(
  ([what, body]) =>
    [undefined, null, 'length', 'content_filter', 'weird', 'error', 'stop', 'tool_calls', ''].flatMap(
      (finish) =>
        (['chunked', 'length', 'close'] as const)
          .filter((framing) => framing === 'chunked' || finish === null || finish === undefined)
          .map((framing) => ({
            title: `${what} with ${finish}, ${framing}`,
            reply: { ...body, framing, ...(finish !== undefined && { finish }) },
          })),
    ),
)

export const reasoningRows: Readonly<Record<string, readonly ServedReply[]>> = {
  'before text': [{ reasoning: 'Hm.', text: 'An answer.' }],
  'before calls': [
    { reasoning: 'Hm.', calls: [call()] },
    { reasoning: 'Oh.', calls: [call({ id: 'c2' })] },
  ],
  'before text and calls': [{ reasoning: 'Hm.', text: 'I look.', calls: [call()] }],
  'before blank text and calls': [{ reasoning: 'Hm.', text: ' \n', calls: [call()] }],
  'before a repeated id': [
    { reasoning: 'Hm.', calls: [call({ id: 'r' })] },
    { reasoning: 'Oh.', calls: [call({ id: 'r', args: { word: 'b' } })] },
  ],
  'without anything': [{ reasoning: 'Hm.' }],
  'before blank text': [{ reasoning: 'Hm.', text: ' ' }],
  'before a cut call': [{ reasoning: 'Hm.', calls: [call({ raw: '{"word":"a' })], finish: 'length' }],
  'in tags, then calls': [{ text: '<think>Hm.</think>', calls: [call()] }],
}

export const usageRows: readonly ServedReply['usage'][] = [
  null,
  { in: 0, out: 0 },
  { in: 1, out: 0 },
  { in: 10, out: 5, cached: 99 },
  { in: 1e15, out: 1e15 },
  { in: -5, out: -5 },
  { in: 1.5, out: 2.5 },
  { in: 'x' as never, out: null as never },
]

const asked = (...ids: string[]): ModelMessage => ({
  ...{ role: 'assistant', content: '' },
  calls: ids.map((id) => ({ id, name: 'echo', args: { word: id } })),
})
const told = (callId: string, content = 'x'): ModelMessage => ({
  role: 'tool',
  callId,
  name: 'echo',
  content,
})
const user = (content: string): ModelMessage => ({ role: 'user', content })
const said = (content: string): ModelMessage => ({ role: 'assistant', content })

/** Conversations as old versions, kills and forks have left them. */
export const historyRows: Readonly<Record<string, readonly ModelMessage[]>> = {
  'a call without a result': [user('a'), asked('1')],
  'two calls, one result': [user('a'), asked('1', '2'), told('2'), said('b')],
  'results in another order': [user('a'), asked('1', '2'), told('2'), told('1')],
  'a result without a call': [user('a'), told('9'), said('b')],
  'a result of an earlier call': [user('a'), asked('1'), told('1'), said('b'), told('1')],
  'two results of one call': [user('a'), asked('1'), told('1'), told('1', 'again')],
  'a message between results': [user('a'), asked('1', '2'), told('1'), user('wait'), told('2')],
  'a reply first': [said('hello')],
  'a result first': [told('1')],
  'two replies in a row': [user('a'), said('b'), said('c')],
  'two messages in a row': [user('a'), user('b')],
  'blank messages': [user(' '), said('b'), user('\n'), said(' '), user('')],
  'blank text and image': [
    {
      role: 'user',
      content: [
        { type: 'text', text: ' ' },
        { type: 'image', mime: 'image/png', base64: 'iVBORw0KGgo=' },
      ],
    },
    said('b'),
  ],
  'the ids of two replies alike': [user('a'), asked('1'), told('1'), asked('1'), told('1')],
  'one id twice in a reply': [user('a'), asked('1', '1'), told('1'), told('1')],
  'empty ids': [user('a'), asked('', ''), told(''), told('')],
  'an empty list of calls': [user('a'), { role: 'assistant', content: 'b', calls: [] }],
  'blank text with calls': [
    user('a'),
    { ...(asked('1') as object), content: ' ' } as ModelMessage,
    told('1', ' '),
  ],
  'a name and arguments of old versions': [
    user('a'),
    { role: 'assistant', content: '', calls: [{ id: 'a:1', name: 'functions.echo', args: ['a'] }] },
    told('a:1'),
  ],
  'broken arguments': [
    user('a'),
    {
      ...{ role: 'assistant', content: '' },
      calls: [{ id: '1', name: '', args: undefined, malformed: { raw: '{"a', error: 'x', position: 2 } }],
    },
    told('1'),
  ],
}

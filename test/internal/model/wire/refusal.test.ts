// Checks what becomes of the many forms in which endpoints say no.
import { describe, expect, test } from 'vitest'
import { failureOf, Interjected, Refused, retryAfter } from '../../../../internal/model/wire/refusal.ts'
import { Broken, Stalled } from '../../../../internal/model/wire/transport.ts'

const openai = (message: string, rest = {}) => JSON.stringify({ error: { message, ...rest } })

/** Status, body, kind, the provider's words as they are shown. */
const refusals: [number, string, string, string][] = [
  [401, openai('Incorrect API key provided.'), 'auth', '401 Incorrect API key provided.'],
  [403, openai('Your region is not supported.'), 'forbidden', '403 Your region is not supported.'],
  [402, '{"error":"Payment required"}', 'payment', '402 Payment required'],
  [404, openai('The model `x` does not exist'), 'not_found', '404 The model `x` does not exist'],
  [408, '', 'server', '408 here gave no reason'],
  [413, openai('too big'), 'context_too_long', '413 too big'],
  [429, openai('Rate limit reached'), 'rate_limit', '429 Rate limit reached'],
  [
    429,
    openai('You exceeded your current quota', { code: 'insufficient_quota' }),
    'payment',
    '429 You exceeded your current quota',
  ],
  [500, '<html><head><title>502 Bad Gateway</title></head></html>', 'server', '500 502 Bad Gateway'],
  [529, openai('Overloaded', { type: 'overloaded_error' }), 'server', '529 Overloaded'],
  [
    400,
    openai("This model's maximum context length is 8192 tokens", { code: 'context_length_exceeded' }),
    'context_too_long',
    "400 This model's maximum context length is 8192 tokens",
  ],
  [
    400,
    openai('prompt is too long: 210000 tokens > 200000 maximum'),
    'context_too_long',
    '400 prompt is too long: 210000 tokens > 200000 maximum',
  ],
  [
    400,
    '[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]',
    'auth',
    '400 API key not valid.',
  ],
  [
    400,
    openai('registry.ollama.ai/library/gemma:latest does not support tools'),
    'tools_unsupported',
    '400 registry.ollama.ai/library/gemma:latest does not support tools',
  ],
  [
    404,
    openai('No endpoints found that support tool use.'),
    'tools_unsupported',
    '404 No endpoints found that support tool use.',
  ],
  [
    400,
    openai('"auto" tool choice requires --enable-auto-tool-choice'),
    'tools_unsupported',
    '400 "auto" tool choice requires --enable-auto-tool-choice',
  ],
  [400, openai('Blocked by our content policy'), 'filter', '400 Blocked by our content policy'],
  [
    422,
    '{"detail":[{"loc":["body"],"msg":"Extra inputs are not permitted"}]}',
    'bad_request',
    '422 Extra inputs are not permitted',
  ],
  [
    400,
    '{"object":"error","message":"Unknown role","type":"invalid_request"}',
    'bad_request',
    '400 Unknown role',
  ],
  [400, 'plain words\nover two lines', 'bad_request', '400 plain words over two lines'],
  [
    502,
    openai('Provider returned error', { metadata: { raw: '{"error":{"message":"upstream is full"}}' } }),
    'server',
    '502 Provider returned error: upstream is full',
  ],
]

describe('refusals', () => {
  test.each(refusals)('%i %s', (status, body, kind, message) => {
    expect(failureOf(new Refused(status, {}, body), 'here', [])).toEqual({ kind, message, status })
  })
})

test('keys in the words of an endpoint are removed', () => {
  const body = openai('key topsecretvalue is not allowed, nor sk-abcdefghijklmnop')
  const failure = failureOf(new Refused(401, {}, body), 'here', ['topsecretvalue'])
  expect(failure.message).toBe('401 key [key removed] is not allowed, nor [key removed]')
})

test('errors inside a stream', () => {
  const of = (error: unknown) => failureOf(new Interjected(error), 'here', [])
  expect(of({ code: 429, message: 'slow down' })).toMatchObject({ kind: 'rate_limit', message: 'slow down' })
  expect(of({ code: 'server_error', message: 'oops' })).toMatchObject({ kind: 'server', message: 'oops' })
  expect(of({ code: 'context_length_exceeded', message: 'x' }).kind).toBe('context_too_long')
  expect(of({ code: 'rate_limit_exceeded', message: 'x' }).kind).toBe('rate_limit')
  expect(of('words')).toMatchObject({ kind: 'server', message: 'words' })
  expect(of(null)).toMatchObject({ kind: 'server' })
})

test('accidents of the connection', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
  expect(failureOf(new Broken(true, refused), 'here', [])).toEqual({
    kind: 'unreachable',
    message: 'here: ECONNREFUSED connect ECONNREFUSED 127.0.0.1:1',
  })
  expect(failureOf(new Broken(false, new Error('aborted')), 'here', []).kind).toBe('broken')
  expect(failureOf(new Stalled(90_000), 'here', [])).toEqual({
    kind: 'stalled',
    message: 'here: no byte for 90 s',
  })
  expect(failureOf(new SyntaxError('bad'), 'here', []).kind).toBe('broken')
  expect(failureOf(new TypeError('bug'), 'here', []).kind).toBe('internal')
})

test('waiting as asked', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(retryAfter({ 'retry-after': '2' }, now)).toBe(2000)
  expect(retryAfter({ 'retry-after': '0.25' }, now)).toBe(250)
  expect(retryAfter({ 'retry-after-ms': '40', 'retry-after': '2' }, now)).toBe(40)
  expect(retryAfter({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, now)).toBe(5000)
  expect(retryAfter({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, now)).toBe(0)
  expect(retryAfter({ 'retry-after': 'soon' }, now)).toBeUndefined()
  expect(retryAfter({}, now)).toBeUndefined()
})

// Errors of endpoints in their many formats, and the resulting failures.
import { describe, expect, test } from 'vitest'
import {
  BrokenConnectionError,
  StalledConnectionError,
} from '../../../../internal/model/endpoint/connection-errors.ts'
import {
  failureOf,
  HttpStatusError,
  StreamErrorEvent,
} from '../../../../internal/model/wire/endpoint-failure.ts'

const openai = (message: string, rest = {}) => JSON.stringify({ error: { message, ...rest } })

/** Status, body, kind, and the provider's message as it is shown. */
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
    500,
    openai('tools param requires --jinja flag', { code: 500, type: 'server_error' }),
    'tools_unsupported',
    '500 tools param requires --jinja flag',
  ],
  [503, openai('Loading model', { code: 503, type: 'unavailable_error' }), 'server', '503 Loading model'],
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

describe('rejections by status', () => {
  test.each(refusals)('%i %s', (status, body, kind, message) => {
    expect(failureOf(new HttpStatusError(status, {}, body), 'here', [])).toEqual({ kind, message, status })
  })
})

test('removes keys from the messages of an endpoint', () => {
  const body = openai('key topsecretvalue is not allowed, nor sk-abcdefghijklmnop')
  const failure = failureOf(new HttpStatusError(401, {}, body), 'here', ['topsecretvalue'])
  expect(failure.message).toBe('401 key [key removed] is not allowed, nor [key removed]')
})

test('reads errors inside a stream', () => {
  const of = (error: unknown) => failureOf(new StreamErrorEvent(error), 'here', [])
  expect(of({ code: 429, message: 'slow down' })).toMatchObject({ kind: 'rate_limit', message: 'slow down' })
  expect(of({ code: 'server_error', message: 'oops' })).toMatchObject({ kind: 'server', message: 'oops' })
  expect(of({ code: 'context_length_exceeded', message: 'x' }).kind).toBe('context_too_long')
  expect(of({ code: 'rate_limit_exceeded', message: 'x' }).kind).toBe('rate_limit')
  expect(of('words')).toMatchObject({ kind: 'server', message: 'words' })
  expect(of(null)).toMatchObject({ kind: 'server' })
})

test('describes failures of the connection', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
  expect(failureOf(new BrokenConnectionError(true, refused), 'here', [])).toEqual({
    kind: 'unreachable',
    message: 'here: nothing listens there (ECONNREFUSED)',
  })
  expect(failureOf(new BrokenConnectionError(false, new Error('aborted')), 'here', []).kind).toBe('broken')
  expect(failureOf(new StalledConnectionError(90_000), 'here', [])).toEqual({
    kind: 'stalled',
    message: 'here: no byte for 90 s',
  })
  expect(failureOf(new SyntaxError('bad'), 'here', []).kind).toBe('broken')
  expect(failureOf(new TypeError('bug'), 'here', []).kind).toBe('internal')
})

/** One message or code of each server and gateway, as observed or documented: status and body. */
const overflows: [string, number, unknown][] = [
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'request (4293 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
      },
    },
  ],
  [
    'llama.cpp, older',
    400,
    {
      error: {
        code: 400,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
      },
    },
  ],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
      type: 'BadRequestError',
      code: 400,
    },
  ],
  [
    'vLLM, newer',
    400,
    {
      error: {
        message:
          'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that max_model_len is no smaller',
        code: 400,
      },
    },
  ],
  [
    'SGLang',
    400,
    { message: "The input (5000 tokens) is longer than the model's context length (4096 tokens)." },
  ],
  ['Ollama', 400, { error: { message: 'the input length exceeds the context length' } }],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    },
  ],
  [
    'LM Studio, in the stream',
    0,
    { message: 'Reached context length of 4096 tokens with model (arch: llama)' },
  ],
  [
    'TGI',
    422,
    {
      error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
      error_type: 'validation',
    },
  ],
  [
    'OpenAI',
    400,
    {
      error: {
        message: 'Your input exceeds the context window of this model.',
        code: 'context_length_exceeded',
      },
    },
  ],
  ['OpenAI, by code alone', 400, { error: { message: 'Invalid request', code: 'context_length_exceeded' } }],
  [
    'Anthropic',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  ],
  [
    'Anthropic, with output',
    400,
    { error: { message: 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000' } },
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
  [
    'Gemini',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
  ],
  ['Groq', 400, { error: { message: 'Please reduce the length of the messages or completion.' } }],
  [
    'Groq, by the minute',
    413,
    {
      error: {
        message: 'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 12000',
        code: 'rate_limit_exceeded',
      },
    },
  ],
  [
    'OpenAI, by the minute',
    429,
    { error: { message: 'Request too large for gpt on tokens per min (TPM): Limit 30000, Requested 40000' } },
  ],
  [
    'Mistral',
    400,
    {
      message:
        'Prompt contains 65546 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    },
  ],
  [
    'xAI',
    400,
    { error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." },
  ],
  ['Zhipu', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
  [
    'Moonshot',
    400,
    { error: { message: 'Invalid request: Your request exceeded model token limit: 131072' } },
  ],
  ['Copilot', 400, { error: { message: 'prompt token count of 70000 exceeds the limit of 64000' } }],
  ['Cohere', 400, { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081' }],
  [
    'OpenRouter',
    400,
    {
      error: {
        message:
          "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens",
        code: 400,
      },
    },
  ],
  [
    'a router around it',
    400,
    { error: { message: 'Provider returned error', metadata: { raw: '{"message":"prompt is too long"}' } } },
  ],
  ['a proxy', 413, '<html><head><title>413 Request Entity Too Large</title></head></html>'],
  [
    'a server that calls it its own fault',
    500,
    { error: { message: 'the request exceeds the available context size' } },
  ],
]

test.each(overflows)(
  'a request that is too long, in the wording of %s: as a response and in the stream',
  (_who, status, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    if (status !== 0)
      expect(failureOf(new HttpStatusError(status, {}, text), 'here', []).kind).toBe('context_too_long')
    if (typeof body === 'string' || Array.isArray(body)) return
    const inner = (body as { error?: unknown }).error ?? body
    if (status !== 429)
      expect(failureOf(new StreamErrorEvent(inner), 'here', []).kind).toBe('context_too_long')
  },
)

test.each([
  [400, 'max_tokens must be at most 8192', 'bad_request'],
  [400, 'unknown parameter context_management', 'bad_request'],
  [429, 'Rate limit reached: too many tokens per minute', 'rate_limit'],
  [429, 'You exceeded the maximum number of requests', 'rate_limit'],
  [401, 'the key exceeds the maximum length', 'auth'],
  [400, 'messages: at least one message is required', 'bad_request'],
  [500, 'the model runner has crashed', 'server'],
] as const)('%i %s is another failure', (status, message, kind) => {
  expect(failureOf(new HttpStatusError(status, {}, openai(message)), 'here', []).kind).toBe(kind)
})

test.each([
  ['ollama (127.0.0.1:11434)', true],
  ['ollama (localhost:11434)', true],
  ['lan (192.168.1.7:8080)', true],
  ['lan (172.20.1.7:8080)', true],
  ['six ([::1]:8080)', true],
  ['box (studio.local:1234)', true],
  ['openai (api.openai.com)', false],
  ['public (172.40.1.7:8080)', false],
])('%s rejects the connection: is it running? %s', (where, isAsked) => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const { message, kind } = failureOf(new BrokenConnectionError(true, cause), where, [])
  expect(kind).toBe('unreachable')
  expect(message.includes('is it running?')).toBe(isAsked)
})

test.each([
  ['EAI_AGAIN', 'no name server answers (EAI_AGAIN); is this machine connected?'],
  ['ENETUNREACH', 'the network is unreachable (ENETUNREACH); is this machine connected?'],
  ['ENOTFOUND', 'the name is not known (ENOTFOUND)'],
  ['EODD', 'EODD getaddrinfo EODD'],
])('describes %s in words', (code, says) => {
  const cause = Object.assign(new Error(`getaddrinfo ${code}`), { code })
  expect(failureOf(new BrokenConnectionError(true, cause), 'openai', []).message).toBe(`openai: ${says}`)
})

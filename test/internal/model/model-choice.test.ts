// The model that a user's setting selects, and the errors for an unknown model.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { UserError } from '../../../internal/base/errors.ts'
import { type PickOptions, pickModel } from '../../../internal/model/model-choice.ts'
import { ask } from '../../support/ask-model.ts'
import { serveModel } from '../../support/model-server.ts'

const dir = mkdtempSync(join(tmpdir(), 'anode-pick-'))
afterAll(() => rmSync(dir, { recursive: true }))
writeFileSync(join(dir, 's.jsonl'), '{"text": "scripted"}\n{"text": "again"}\n')

/** Each call keeps what it learns about endpoints in a folder of this test. */
const pick = (spec: string | undefined, { env = {}, ...rest }: Partial<PickOptions> = {}) =>
  pickModel(spec, {
    env: { ANODE_DATA_DIR: join(dir, 'data'), ...env },
    cwd: dir,
    retry: { baseMs: 1 },
    ...rest,
  })
const idOf = async (spec: string | undefined, rest: Partial<PickOptions> = {}) =>
  (await pick(spec, rest)).model.id

async function refusal(
  spec: string,
  rest: Partial<PickOptions> = {},
): Promise<{ message: string; hint: string }> {
  try {
    await pick(spec, rest)
  } catch (error) {
    if (error instanceof UserError) return { message: error.message, hint: error.hint ?? '' }
    throw error
  }
  throw new Error(`${spec} was accepted`)
}

describe('without a name', () => {
  test('and without any key uses extraction, and reports it in one line', async () => {
    const { model, notice } = await pick(undefined)
    expect(model).toMatchObject({
      id: 'builtin/extract',
      kind: 'rules',
      note: expect.stringMatching(/not a language model/),
    })
    expect(notice).toMatch(/builtin\/extract/)
    expect(notice).not.toContain('\n')
  })

  test('uses the first provider with a key', async () => {
    expect(await idOf(undefined, { env: { GROQ_API_KEY: 'k', MISTRAL_API_KEY: 'k' } })).toBe(
      'groq/openai/gpt-oss-120b',
    )
    expect(await idOf(undefined, { env: { MISTRAL_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' } })).toMatch(
      /^anthropic\//,
    )
    expect((await pick(undefined, { env: { OPENAI_API_KEY: 'k' } })).notice).toBeUndefined()
  })

  test('ignores an empty key', async () => {
    expect(await idOf(undefined, { env: { OPENAI_API_KEY: '' } })).toBe('builtin/extract')
  })

  test('prefers the configuration to the environment', async () => {
    const config = { model: 'groq/x', providers: { groq: { apiKey: 'k' } } }
    expect(await idOf(undefined, { env: { OPENAI_API_KEY: 'k' }, config })).toBe('groq/x')
  })

  test('accepts a separate endpoint', async () => {
    const config = { providers: { lab: { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' } } }
    expect(await idOf(undefined, { config })).toBe('lab/m')
    expect(await idOf(undefined, { env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } })).toMatch(/^openai\//)
  })
})

const env = { OPENAI_API_KEY: 'k', OPENROUTER_API_KEY: 'k' }
const names: [string, string][] = [
  ['openai/gpt-5', 'openai/gpt-5'],
  ['openai', 'openai/gpt-5.4'],
  ['openrouter/anthropic/claude-sonnet-5', 'openrouter/anthropic/claude-sonnet-5'],
  ['ollama/llama3', 'ollama/llama3'],
  ['builtin/extract', 'builtin/extract'],
  ['script:s.jsonl', 'script:s.jsonl'],
  ['record:r.jsonl,openai/gpt-5', 'record:r.jsonl,openai/gpt-5'],
  ['record:r.jsonl,script:s.jsonl', 'record:r.jsonl,script:s.jsonl'],
  [' openai/gpt-5 ', 'openai/gpt-5'],
]
test.each(names)('resolves %s', async (spec, id) => expect(await idOf(spec, { env })).toBe(id))

const wrong: [spec: string, message: RegExp, hint: RegExp, rest?: Partial<PickOptions>][] = [
  ['openai/gpt-5', /openai needs a key and OPENAI_API_KEY is not set/, /anode login openai/],
  ['gemini/x', /GEMINI_API_KEY is not set/, /GEMINI_API_KEY \(or GOOGLE_API_KEY/],
  [
    'opnai/gpt-5',
    /unknown model opnai\/gpt-5, did you mean openai/,
    /anthropic, openai, zai.*builtin\/extract/,
  ],
  ['gpt-5.4', /did you mean openai\/gpt-5\.4\?/, /Providers:/],
  ['nonsense', /unknown model nonsense/, /Providers:/],
  ['builtin/extrac', /did you mean builtin\/extract/, /only built-in/],
  ['script:', /script:FILE/, /file name is missing/],
  [
    'script:nowhere.jsonl',
    /cannot read the script: nowhere\.jsonl does not exist/,
    /one JSON object per line/,
  ],
  ['replay:nowhere.jsonl', /cannot read the recording/, /record:nowhere\.jsonl/],
  ['record:file', /record:FILE,MODEL/, /missing/],
  ['record:file,opnai/x', /unknown model opnai\/x/, /Providers/],
  ['custom/x', /custom has no URL/, /providers\.custom\.baseUrl/],
  [
    'lab',
    /lab has no default model/,
    /--model lab\/MODEL/,
    { config: { providers: { lab: { baseUrl: 'http://x/v1' } } } },
  ],
  [
    'lab/smal',
    /lab has no model smal/,
    /lab\/small/,
    { config: { providers: { lab: { baseUrl: 'http://x/v1', models: ['small', 'large'] } } } },
  ],
  [
    'lab/x',
    /providers\.lab\.baseUrl is not a valid URL/,
    /https:/,
    { config: { providers: { lab: { baseUrl: 'http://' } } } },
  ],
  [
    'lab/x',
    /must begin with http/,
    /gopher:/,
    { config: { providers: { lab: { baseUrl: 'gopher://x/' } } } },
  ],
  ['openai/x', /OPENAI_BASE_URL is not a valid URL/, /https:/, { env: { OPENAI_BASE_URL: 'http://' } }],
]
test.each(wrong)('%s is rejected: %s', async (spec, message, hint, rest) => {
  const output = await refusal(spec, rest)
  expect(output.message).toMatch(message)
  expect(output.hint).toMatch(hint)
  expect(output.message).not.toContain('\n')
  const wide = output.hint.split('\n').filter((line) => line.length > 110)
  // Only the list of all providers is longer.
  expect(wide.filter((line) => !line.startsWith('Providers: '))).toEqual([])
})

test('retries a script and uses its responses in order', async () => {
  const { model } = await pick('script:s.jsonl')
  expect((await ask(model)).text).toBe('scripted')
  expect((await ask(model)).text).toBe('again')
})

test('replays the recording of a script', async () => {
  const { model } = await pick('record:out/rec.jsonl,script:s.jsonl')
  await ask(model, 'one')
  expect((await ask((await pick('replay:out/rec.jsonl')).model, 'one')).text).toBe('scripted')
})

test('sends requests with the key, format and tool form of the endpoint', async () => {
  const server = await serveModel([{ text: 'chat' }, { text: 'resp' }, { text: 'TOOL: {"name": "read"}' }])
  try {
    const providers = {
      a: { baseUrl: `${server.url}/`, apiKey: 'topsecret' },
      b: { baseUrl: server.url, apiFormat: 'responses' as const },
      c: { baseUrl: server.url, tools: 'text' as const },
    }
    const config = { providers }
    expect((await ask((await pick('a/m', { config })).model)).text).toBe('chat')
    expect((await ask((await pick('b/m', { config })).model)).text).toBe('resp')
    const tools = [{ name: 'read', description: 'd', schema: {} }]
    expect((await ask((await pick('c/m', { config })).model, { tools })).calls).toHaveLength(1)
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/chat/completions',
    ])
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer topsecret',
      undefined,
      undefined,
    ])
    expect(server.requests[2]?.body).not.toHaveProperty('tools')
  } finally {
    await server.close()
  }
})

test('uses OPENAI_BASE_URL with and without a key', async () => {
  const server = await serveModel([{ text: 'a' }, { text: 'b' }])
  try {
    const base = { OPENAI_BASE_URL: server.url }
    await ask((await pick('openai/m', { env: { ...base, OPENAI_API_KEY: 'k1234567' } })).model)
    await ask((await pick('openai/m', { env: base })).model)
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer k1234567',
      undefined,
    ])
  } finally {
    await server.close()
  }
})

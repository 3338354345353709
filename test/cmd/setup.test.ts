// Setting a machine up: keys, the default model, values of the configuration, and what doctor says of them.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { sampleRows } from '../support/sample.ts'

let w: World
beforeEach(() => {
  w = world()
})
afterEach(() => w.remove())

const key = 'sk-test-0123456789'
const file = (name: string) => join(w.dir, '..', '.config', 'anode', name)
const text = (name: string) => readFileSync(file(name), 'utf8')

test('a stored key makes its provider the one in use, is seen by doctor, and is never printed', async () => {
  expect((await w.anode(['models'])).out).toContain('No model is set up')
  expect((await w.anode(['doctor'])).out).toMatch(/^model +missing .*anode login/m)
  const stored = await w.anode(['login', 'openai', '--stdin'], { input: `${key}\n` })
  expect(stored).toMatchObject({ code: 0 })
  expect(statSync(file('keys.json')).mode & 0o777).toBe(0o600)
  const models = await w.anode(['models'])
  expect(models.out).toMatch(/openai +anode login +gpt/)
  const doctor = await w.anode(['doctor'])
  expect(doctor.out).toMatch(/^model +ok +openai\/\S+ at https:\/\/api\.openai\.com\/v1 \(anode login\)/m)
  const json = await w.anode(['models', '--json'])
  expect(JSON.parse(json.out).chosen.model).toMatch(/^openai\//)
  for (const { out, err } of [stored, models, doctor, json]) expect(out + err).not.toContain(key)
  expect((await w.anode(['logout', 'openai', '--yes'])).out).toContain('forgotten')
  expect((await w.anode(['models'])).out).toContain('No model is set up')
})

test('a variable counts before a stored key, and is named where the key is', async () => {
  await w.anode(['login', 'openai', '--stdin'], { input: key })
  const { out } = await w.anode(['models'], { env: { OPENAI_API_KEY: 'another-key-123' } })
  expect(out).toMatch(/openai +OPENAI_API_KEY/)
  const told = await w.anode(['login', 'openai', '--stdin'], { input: key, env: { OPENAI_API_KEY: 'x' } })
  expect(told.err).toContain('OPENAI_API_KEY is set and counts before it')
})

test.each(
  sampleRows(
    [
      [['login', 'opnai', '--stdin'], key, /not a provider that takes a key\ndid you mean openai/],
      [['login', 'openai', '--stdin'], 'two words here', /invalid key/],
      [['login', 'openai', '--stdin'], '', /invalid key/],
      [['login', 'openai'], key, /asked for at a terminal\npipe it in/],
    ],
    2,
  ),
)('%j with %j is rejected and stores nothing', async (words, input, said) => {
  const { code, err } = await w.anode(words as string[], { input: input as string })
  expect(code).toBe(2)
  expect(err).toMatch(said as RegExp)
  expect((await w.anode(['models'])).out).toContain('No model is set up')
})

test('a broken key file is named, with what to do', async () => {
  w.put('../.config/anode/keys.json', '{')
  const { code, err } = await w.anode(['models'])
  expect(code).toBe(2)
  expect(err).toMatch(/keys\.json is not valid JSON\nremove it and run `anode login` again/)
})

test('config set keeps comments and other keys, and takes JSON or a text', async () => {
  w.put('../.config/anode/config.json', '{\n  // mine\n  "profile": "quick",\n}\n')
  for (const [name, value] of [
    ['model', 'ollama/qwen3'],
    ['protectedDirs', '["data"]'],
    ['web.enabled', 'false'],
    ['providers.openai.apiKey', '{env:NOT_SET_HERE}'],
  ] as const)
    expect(await w.anode(['config', 'set', name, value])).toMatchObject({ code: 0 })
  expect(text('config.json')).toContain('// mine')
  expect(text('config.json')).toMatch(/"model": "ollama\/qwen3"/)
  expect(text('config.json')).toMatch(/"enabled": false/)
  expect(await w.anode(['config', 'unset', 'providers', '--yes'])).toMatchObject({ code: 0 })
  const { out } = await w.anode(['config', 'list'])
  expect(out).toMatch(/model +\S.* +ollama\/qwen3/)
  expect(out).toMatch(/profile +\S.* +quick/)
  expect(out).not.toContain('apiKey')
})

test.each(
  sampleRows(
    [
      ['modle', 'x', /unknown key modle, did you mean model/],
      ['profile', '7', /profile must be of type string/],
      ['permissionPreset', 'mild', /must be one of careful/],
      ['session.maxSessions', '0', /session\.maxSessions must be at least 1\n/],
      ['ui.escapeMs', '99999', /ui\.escapeMs must be at most \d+\n/],
      ['providers..model', 'x', /unknown configuration key: providers..model/],
      ['', 'x', /KEY is missing|unknown configuration key/],
    ],
    2,
  ),
)('config set %j %j is rejected and leaves the file unchanged', async (name, value, said) => {
  w.put('../.config/anode/config.json', '{ "profile": "quick" }\n')
  const { code, err } = await w.anode(['config', 'set', name, value])
  expect(code).toBe(2)
  expect(err).toMatch(said)
  expect(text('config.json')).toBe('{ "profile": "quick" }\n')
})

test('config set notes a profile that no file defines yet', async () => {
  const { code, err } = await w.anode(['config', 'set', 'profile', 'quikc'])
  expect({ code, err }).toEqual({ code: 0, err: 'note: unknown profile "quikc"; did you mean quick?\n' })
  expect((await w.anode(['config', 'set', 'profile', 'rush'])).err).toBe('')
})

test('config set names what a model still needs, and a session names a setting that it cannot use', async () => {
  const { code, err } = await w.anode(['config', 'set', 'model', 'lab/one'])
  const next = 'for your own server: anode config set providers.lab.baseUrl https://host/v1'
  expect({ code, err }).toEqual({ code: 0, err: `note: unknown model lab/one; ${next}\n` })
  expect(await w.anode(['execute', 'hi'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^anode: unknown model lab\/one\nthe configuration names it; .*config set model/,
    ),
  })
  expect((await w.anode(['config', 'set', 'model', 'openai/gpt-5.4'])).err).toMatch(
    /needs a key.*anode login/,
  )
})

test.each(['["opnai"]', 'ollama/qwen3,opnai', 'builtin/extrct', 'builtin/extract,opnai'])(
  'config set model refuses %s, which names a model that cannot exist',
  async (value) => {
    const { code, err } = await w.anode(['config', 'set', 'model', value])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/unknown model (opnai|builtin\/extrct)/),
    })
  },
)

test('config set model writes a new file, and one with a variable that is not set yet', async () => {
  const fresh = { ANODE_CONFIG: join(w.dir, 'new.json') }
  expect(await w.anode(['config', 'set', 'model', 'ollama/qwen3'], { env: fresh })).toMatchObject({ code: 0 })
  w.put('late.json', '{ "profile": "{env:NOT_SET_YET}" }\n')
  const late = { ANODE_CONFIG: join(w.dir, 'late.json') }
  expect(await w.anode(['config', 'set', 'model', 'ollama/qwen3'], { env: late })).toMatchObject({ code: 0 })
})

test('a file that is broken already is not made worse', async () => {
  w.put('../.config/anode/config.json', '{ "model": ')
  expect(await w.anode(['config', 'set', 'model', 'x/y'])).toMatchObject({ code: 2 })
  expect(text('config.json')).toBe('{ "model": ')
})

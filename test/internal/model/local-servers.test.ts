// Checks what is found out about model servers on this machine, against servers that speak like the real ones.
import { afterEach, describe, expect, test } from 'vitest'
import { findLocalServers } from '../../../internal/model/local-servers.ts'
import { pickModel } from '../../../internal/model/model-choice.ts'
import { ask } from '../../support/ask-model.ts'
import { llamaCpp, lmStudio, ollama, vllm } from '../../support/local-servers.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../support/model-server.ts'
import { scratch } from '../../support/scratch.ts'

const open: ModelServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function start(about: Readonly<Record<string, ServedReply>>, script: readonly ServedReply[] = []) {
  const server = await serveModel(script, about)
  open.push(server)
  return server
}

const signal = new AbortController().signal
const portOf = ({ url }: ModelServer) => Number(new URL(url).port)
const pick = async (url: string, model: string, settings = {}, env = {}) =>
  (
    await pickModel(`lab/${model}`, {
      env,
      cwd: '/',
      config: { providers: { lab: { baseUrl: url, ...settings } } },
    })
  ).model

describe('the search for local servers', () => {
  test('finds servers of every kind, with their models', async () => {
    const servers = await Promise.all([
      start(llamaCpp({ slots: 2 })),
      start(vllm()),
      start(ollama()),
      start(lmStudio()),
    ])
    const found = await findLocalServers(signal, servers.map(portOf))
    expect(found.map(({ address: _, ...rest }) => rest)).toEqual([
      { kind: 'llama.cpp', models: [{ id: 'smol.gguf', window: 4096 }], slots: 2 },
      { kind: 'vllm', models: [{ id: 'Qwen/Qwen3-8B', window: 16_384 }] },
      { kind: 'ollama', models: [{ id: 'qwen3:8b' }] },
      { kind: 'lm-studio', models: [{ id: 'qwen3-8b' }] },
    ])
    const sent = servers.flatMap(({ probes, requests }) => [...probes, ...requests])
    expect(new Set(sent.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(['GET /v1/models', 'GET /props', 'GET /api/tags']),
    )
  })

  test('returns nothing without a server, for another program, and if the response takes longer than 200 ms', async () => {
    const web = await start({ '/v1/models': { status: 200, body: '<html>hello</html>' } })
    const late = Object.fromEntries(
      Object.entries(llamaCpp()).map(([path, reply]) => [path, { ...reply, delayMs: 20_000 }]),
    )
    const gone = await start({})
    await gone.close()
    const began = Date.now()
    expect(await findLocalServers(signal, [portOf(web), portOf(await start(late)), portOf(gone)])).toEqual([])
    expect(Date.now() - began).toBeLessThan(15_000)
  })
})

const windows: [string, Readonly<Record<string, ServedReply>>, string, number][] = [
  ['llama.cpp, whatever the name', llamaCpp({ window: 6144 }), 'anything', 6144],
  ['vLLM', vllm({ window: 12_000 }), 'Qwen/Qwen3-8B', 12_000],
  ['Ollama, loaded', ollama({ loaded: 8192, asked: 2048 }), 'qwen3:8b', 8192],
  ['Ollama, from the file', ollama({ asked: 10_000 }), 'qwen3:8b', 10_000],
  ['Ollama, latest', ollama({ model: 'phi:latest', loaded: 4096 }), 'phi', 4096],
  ['LM Studio, loaded', lmStudio({ loaded: 7000 }), 'qwen3-8b', 7000],
]
test.each(windows)('reads the window of %s', async (_, about, model, window) => {
  const server = await start(about)
  expect((await pick(server.url, model)).window).toBe(window)
})

const guesses: [string, Readonly<Record<string, ServedReply>>, number][] = [
  ['Ollama, not loaded', ollama(), 32_768],
  ['LM Studio, not loaded', lmStudio(), 32_768],
  ['a server of no known kind', {}, 128_000],
]
test.each(guesses)('reports a guess for %s once', async (_, about, window) => {
  const server = await start(about, [{ text: 'a' }, { text: 'b' }])
  const model = await pick(server.url, 'm', {}, { ANODE_DATA_DIR: scratch() })
  expect(model.window).toBe(window)
  const notices = [...(await ask(model)).events, ...(await ask(model)).events].filter(
    ({ type }) => type === 'notice',
  )
  expect(notices).toEqual([
    { type: 'notice', code: 'window_guessed', text: expect.stringContaining('providers.lab.window') },
  ])
})

test('a configured window is neither read nor called a guess', async () => {
  const server = await start(llamaCpp(), [{ text: 'a' }])
  const model = await pick(server.url, 'm', { window: 9000, maxConcurrent: 4 })
  expect(model.window).toBe(9000)
  expect((await ask(model)).events.map(({ type }) => type)).not.toContain('notice')
  expect(server.probes).toEqual([])
})

describe('a server with one slot', () => {
  test('gets one request at a time, and time in the queue does not count as silence', async () => {
    let running = 0
    let most = 0
    const server = await serveModel(() => {
      most = Math.max(most, ++running)
      setTimeout(() => running--, 590)
      return { text: 'ok', delayMs: 600 }
    }, llamaCpp())
    open.push(server)
    const model = await pick(server.url, 'm', { timeouts: { idle: 1_700 } })
    const replies = await Promise.all([ask(model), ask(model), ask(model), ask(model)])
    expect(replies.map(({ text }) => text)).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(replies.flatMap(({ events }) => events).filter(({ type }) => type === 'discarded')).toEqual([])
    expect(most).toBe(1)
  })

  test('a cancelled request in the queue delays no other', async () => {
    const server = await start(llamaCpp(), [{ text: 'a', delayMs: 1_000 }, { text: 'c' }])
    const model = await pick(server.url, 'm')
    const leaving = new AbortController()
    const first = ask(model)
    const second = ask(model, 'x', leaving.signal)
    const third = ask(model)
    setTimeout(() => leaving.abort(), 20)
    expect((await second).failure?.kind).toBe('cancelled')
    expect([(await first).text, (await third).text]).toEqual(['a', 'c'])
  })

  test('gets as many requests at a time as the configuration allows', async () => {
    let asked = 0
    let both: () => void = () => undefined
    const together = new Promise<void>((done) => {
      both = done
    })
    // neither is answered before both have come
    const server = await serveModel(() => {
      if (++asked === 2) both()
      return { text: 'ok', hold: { at: 1, until: together } }
    }, llamaCpp())
    open.push(server)
    const model = await pick(server.url, 'm', { maxConcurrent: 2 })
    const replies = await Promise.all([ask(model), ask(model)])
    expect(replies.map(({ text }) => text)).toEqual(['ok', 'ok'])
  })
})

// Long runs over both wires that keep prompts by their beginning: what each request repeats of the one before.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHeadless } from '../../../internal/runtime/run/headless-run.ts'
import { features } from '../../../internal/service/features/index.ts'
import { type Received, type ServedFormat, type ServedReply, serveModel } from '../../support/model-server.ts'
import { rng } from '../../support/rng.ts'
import { scratchWith } from '../../support/scratch.ts'

/** Runs to its end against `script` and returns what was sent, with the id of the run's thread. */
async function runAgainst(
  apiFormat: ServedFormat,
  script: (request: Received, n: number) => ServedReply,
): Promise<{ thread: string; requests: readonly Received[] }> {
  const server = await serveModel(script)
  try {
    const providers = { openai: { baseUrl: server.url, apiKey: 'k', apiFormat } }
    const cwd = scratchWith({
      'config/anode/config.json': JSON.stringify({ model: 'openai/any', providers }),
      'small.txt': Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join(''),
    })
    const env = {
      PATH: process.env.PATH,
      HOME: cwd,
      ANODE_DATA_DIR: join(cwd, 'data'),
      XDG_CONFIG_HOME: join(cwd, 'config'),
    }
    const { thread, end } = await runHeadless({
      cwd,
      env,
      signal: new AbortController().signal,
      mode: 'unrestricted',
      addDirs: [],
      features,
      terminal: undefined,
      prompt: 'go',
      maxTurns: 200,
      caps: {},
      ask: async () => ({ allow: true, why: 'a test' }),
      show: () => undefined,
      inbox: async () => [],
      note: () => undefined,
    })
    expect(end).toMatchObject({ end: 'done' })
    return { thread, requests: server.requests }
  } finally {
    await server.close()
  }
}

/** Bytes that both begin with, in the steps in which prompts are kept (128 tokens of four bytes). */
function keptBytes(one: string, other: string): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return same - (same % 512)
}

test.each(['chat', 'responses'] as const)(
  '100 turns over %s repeat at least 95 %% of the prompt',
  async (format) => {
    const next = rng(7)
    const { requests } = await runAgainst(format, (_, n) => {
      if (n === 100) return { text: 'done' }
      const calls = Array.from({ length: 1 + Math.floor(next() * 4) }, (_, i) => ({
        name: 'read',
        id: `c${n}_${i}`,
        args: { path: next() < 0.1 ? 'none.txt' : 'small.txt', start_line: 1 + i, end_line: n + i + 1 },
      }))
      return { text: n % 3 === 0 ? 'I look.' : '', calls }
    })
    expect(requests).toHaveLength(101)
    const sum = { kept: 0, all: 0 }
    for (const [i, { raw }] of requests.slice(1).entries()) {
      const before = (requests[i] as Received).raw
      // all but the brackets that close the list
      expect(raw.startsWith(before.slice(0, -2))).toBe(true)
      sum.kept += keptBytes(raw, before)
      sum.all += raw.length
    }
    expect(sum.kept / sum.all).toBeGreaterThan(0.95)
  },
)

test.each(['chat', 'responses'] as const)(
  'subagents request the cached prompts of their root thread over %s',
  async (format) => {
    const { thread, requests } = await runAgainst(format, ({ raw }, n) => {
      if (n === 0)
        return { calls: [1, 2].map((i) => ({ name: 'task', id: `t${i}`, args: { goal: `look ${i}` } })) }
      return { text: raw.includes('"go"') ? 'done' : 'looked' }
    })
    expect(requests).toHaveLength(4)
    expect(new Set(requests.map(({ body }) => body.prompt_cache_key))).toEqual(new Set([thread]))
  },
)

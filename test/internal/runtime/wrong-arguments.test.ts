// Wrong arguments for every tool: the call fails and the run continues.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Event } from '../../../internal/event/event.ts'
import { runHeadless } from '../../../internal/runtime/run/headless-run.ts'
import { loadNativeEntries } from '../../../internal/runtime/tools/tool-registry.ts'
import { features } from '../../../internal/service/features/index.ts'
import { ofType } from '../../support/events.ts'
import { repoWith } from '../../support/repo.ts'
import { sampleRows, shareRows } from '../../support/sample.ts'
import { scratch } from '../../support/scratch.ts'

vi.setConfig({ testTimeout: 300_000 })

/** Values that no tool expects, some of them with the right type. */
const odd: unknown[] = [
  null,
  '',
  'no such thing',
  '\u0000',
  '../../../etc/passwd',
  '/',
  -1,
  1e300,
  true,
  [],
  ['\u0000'],
  {},
  { a: [null] },
]

async function play(replies: readonly object[]): Promise<{ events: Event[]; end: string }> {
  const dir = repoWith({ 'a.ts': 'export const a = 1\n' })
  const data = scratch()
  const file = join(data, 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const events: Event[] = []
  const { end } = await runHeadless({
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: data, ANODE_DATA_DIR: data, XDG_CONFIG_HOME: data },
    signal: new AbortController().signal,
    mode: 'ask',
    addDirs: [],
    features,
    terminal: undefined,
    prompt: 'go',
    profile: 'study',
    model: `script:${file}`,
    maxTurns: 10_000,
    caps: {},
    ask: async ({ tool }) => ({ allow: tool !== 'bash', why: 'a test' }),
    show: (event) => events.push(event),
    inbox: async () => [],
    note: () => undefined,
  })
  return { events, end: end.end }
}

/**
 * Returns each tool with calls of its example, in which one parameter has an odd value. The short form
 * alternates. One call per turn.
 */
async function wrongCalls(): Promise<Map<string, object[]>> {
  const all = new Map<string, object[]>()
  for (const { name, example, schema } of await loadNativeEntries()) {
    // these use the network or a language server with any arguments
    if (['web_search', 'lsp', 'get_diagnostics'].includes(name)) continue
    const names = Object.keys((schema.properties as object | undefined) ?? {})
    all.set(
      name,
      names.flatMap((key, i) =>
        shareRows(odd, i, 4).map((value) => ({ calls: [{ name, args: { ...example, [key]: value } }] })),
      ),
    )
  }
  return all
}

const tools = await wrongCalls()

const others = [...tools.keys()].filter((name) => !['task', 'oracle', 'code_review', 'finder'].includes(name))

test.each(sampleRows(others, 4))('%s: every call gets a result and the run ends', async (name) => {
  const calls = tools.get(name) as object[]
  const { events, end } = await play([...calls, { text: 'still here' }])
  const results = ofType(events, 'tool.result')
  expect(end).not.toBe('failed')
  expect(results).toHaveLength(calls.length)
  const broken = results.filter(({ payload }) => payload.code === 'internal')
  expect(broken.map(({ payload }) => payload.text)).toEqual([])
})

test.each([
  ['task', { goal: 'g', profile: 'nope' }, /unknown profile nope/],
  ['task', { goal: 'g', profile: 'craf' }, /did you mean craft/],
  ['task', { goal: 'g', profile: '\u0000' }, /unknown profile/],
  ['oracle', { question: 'q', model: 'nope/x' }, /unknown model nope\/x/],
  ['oracle', { question: 'q', model: 'openai/gpt-5' }, /OPENAI_API_KEY is not set/],
  ['oracle', { question: 'q', model: 'script:gone.jsonl' }, /gone\.jsonl.*is a file/],
  ['oracle', { question: 'q', files: ['gone.ts'] }, /gone\.ts does not exist/],
  ['task', { goal: '' }, /goal/],
  ['code_review', { diff_description: '' }, /diff_description/],
  ['finder', { query: 'a', mode: 'nope' }, /mode must be one of/],
])('%s %j fails with a helpful message, and the run continues', async (name, args, words) => {
  const { events, end } = await play([{ calls: [{ name, args }] }, { text: 'still here' }])
  const [result] = ofType(events, 'tool.result')
  expect(result?.payload).toMatchObject({ ok: false, code: expect.stringMatching(/bad_args|not_found/) })
  expect(result?.payload.text).toMatch(words)
  expect(end).toBe('done')
})

// The adapters of the toolset swarmie: the native call of each, its result, and the tools of the set.
import { expect, test } from 'vitest'
import { levels } from '../../../../internal/policy/level.ts'
import { loadNativeEntries } from '../../../../internal/runtime/tools/tool-registry.ts'
import { openToolset } from '../../../../internal/runtime/toolset/toolset-session.ts'
import { openDirectCalls } from '../../../../internal/service/calls/direct-call.ts'
import { parseArguments } from '../../../../internal/tool/parse.ts'
import { nativeTools } from '../../../../internal/tools/index.ts'
import { loadAdapterTool } from '../../../../internal/toolset/adapter-tool.ts'
import { adaptersOf } from '../../../../internal/toolset/resolve-adapter.ts'
import { swarmie } from '../../../../internal/toolset/sets/swarmie.ts'
import { type AdapterCase, compareAdapter } from '../../../support/adapter-session.ts'
import { accessOf } from '../../../support/ctx.ts'
import { choice, rng } from '../../../support/rng.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const made = { action: 'create', name: 'news', schedule: '@daily', prompt: 'What is new?', timezone: 'UTC' }

const cases: Readonly<Record<string, readonly AdapterCase[]>> = {
  question: [
    { case: 'usual', args: { question: 'Run them?', options: ['yes', 'no'] }, reply: { text: 'no' } },
    { case: 'edge: nobody is there', args: { question: 'Which branch?' } },
    { case: 'edge: nobody, with options', args: { question: 'Run them?', options: ['yes', 'no'] } },
    { case: 'refusal: no question', args: { options: ['yes'] } },
    { case: 'refusal: a native name', args: { question: 'x', allow_freeform: true } },
  ],
  branch: [
    { case: 'usual', args: { description: 'Which title?' }, child: {} },
    { case: 'edge: white space', args: { description: 'Which title?' }, child: { text: ' It is R.\n' } },
    {
      case: 'cut: at its last turn',
      ...{ args: { description: 'Which title?', max_turns: 41 }, child: { end: 'partial', reason: 'turns' } },
    },
    { case: 'refusal: not a word', args: { description: 'Which title?' }, child: { text: '' } },
    { case: 'refusal: no conversation', args: { description: 'x' } },
    { case: 'refusal: no turns', args: { description: 'x', max_turns: 0 } },
    { case: 'refusal: nothing to do', args: {} },
  ],
  cron: [
    { case: 'usual', args: made },
    { case: 'edge: what there is', args: { action: 'list' } },
    { case: 'edge: a name that is taken', args: made },
    { case: 'edge: off', args: { action: 'disable', job_id: 'news' } },
    { case: 'edge: has not run', args: { action: 'history', job_id: 'news', limit: 1 } },
    { case: 'edge: gone', args: { action: 'delete', job_id: 'news' } },
    { case: 'refusal: no schedule', args: { action: 'create', name: 'a', prompt: 'x' } },
    { case: 'refusal: no id', args: { action: 'delete' } },
    { case: 'refusal: an unknown job', args: { action: 'history', job_id: 'nobody' } },
    { case: 'refusal: fields', args: { ...made, schedule: '61 * * * *' } },
    { case: 'refusal: zone', args: { ...made, timezone: 'Europe/Atlantis' } },
    { case: 'refusal: profile', args: { ...made, agent: 'nobody' } },
    { case: 'edge: no jobs', args: { action: 'list' } },
    { case: 'refusal: a native name', args: { ...made, profile: 'quick' } },
  ],
}

test.each(Object.entries(cases))('%s calls and answers like its golden file', async (adapter, list) => {
  await compareAdapter('swarmie', adapter, list)
})

test.each([
  ['Which branch?', [], 'main', 'main'],
  ['Run them?', ['yes', 'no'], 'no', 'no'],
  ['Run them?', ['yes', 'no'], 'later', 'later'],
  [
    'Run them?',
    ['yes'],
    null,
    'The user gave no answer. Continue with what you know, and state your assumptions.',
  ],
])('question %j %j answered with %j returns exactly that', async (question, options, given, text) => {
  const cwd = scratchWith({ 'answers.json': JSON.stringify({ q1: given }) })
  const session = await openDirectCalls({
    ...{
      cwd,
      env: { HOME: cwd, ANODE_DATA_DIR: scratch(), PATH: process.env.PATH },
      addDirs: [],
      terminal: undefined,
    },
    ...{ signal: new AbortController().signal, mode: 'unrestricted', approval: 'flag', record: 'changes' },
    ...{ single: true, toolset: { name: 'swarmie' }, names: ['question'], answers: `${cwd}/answers.json` },
  })
  const result = await session.call({ name: 'question', args: { question, options } })
  await session.close()
  expect([result.failed, result.text]).toEqual([undefined, text])
})

test('offers the three next to the tools of Anode, and question replaces one of them', async () => {
  const natives = await loadNativeEntries()
  const set = await openToolset({ name: 'swarmie' }, () => natives)
  const restrictions = { profile: undefined, disabled: [], web: true }
  const shown = set
    .list({ restrictions, only: undefined, child: false })
    .filter(({ hidden }) => hidden === undefined)
  const names = shown.map(({ name }) => name)
  expect(names.filter((name) => ['question', 'branch', 'cron', 'ask_user', 'bash'].includes(name))).toEqual([
    ...['bash', 'question', 'branch', 'cron'],
  ])
  expect(new Set(names).size).toBe(names.length)
  expect(set.catalog.explain?.('ask_user')).toBe('ask_user is a tool of anode; here question does it')
})

const words = ['', 'a', 'x'.repeat(40), 'history', '@daily', '0 7 * * 1-5', 'UTC']
const values: readonly unknown[] = [...words, 0, 1, 10, 500, true, false, [], ['a'], ['a', 'b'], null]

test.each(adaptersOf(swarmie).map(({ adapter }) => [adapter.name, adapter] as const))(
  '%s: valid arguments fit the native tool, the same twice, at no lower level',
  async (_, adapter) => {
    const random = rng(11)
    const context = {
      ...{ toolset: 'swarmie', tools: new Map(), nativeTools: new Set<string>(), pager: undefined },
      load: async (name: string) => (nativeTools[name] as NonNullable<(typeof nativeTools)[string]>)(),
    }
    let taken = 0
    for (let i = 0; i < 500; i++) {
      const args: Record<string, unknown> = { ...(i % 2 === 0 && adapter.example) }
      for (const name of Object.keys(adapter.input.shape))
        if (random() < 0.4)
          args[name] = name === 'action' ? choice(random, [...actions]) : choice(random, [...values])
      const parsed = parseArguments(adapter.input, args)
      if (!parsed.ok) continue
      taken++
      const tool = await loadAdapterTool(adapter, args, context)
      const map = () => tool.adapter?.map(parsed.args as Record<string, unknown>, { env: {} }).args
      const native = map() as never
      expect(map()).toEqual(native)
      const target = await context.load(tool.name)
      const level = accessOf(target, native).level ?? target.level
      expect(levels.indexOf(accessOf(tool, native).level ?? tool.level)).toBeGreaterThanOrEqual(
        levels.indexOf(level),
      )
    }
    expect(taken).toBeGreaterThan(20)
  },
)

const actions = ['create', 'list', 'delete', 'enable', 'disable', 'history']

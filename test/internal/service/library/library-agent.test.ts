// Agents in other programs: real runs with scripted responses, over a real store.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { defineFunction } from '../../../../internal/service/library/define-function.ts'
import { createLibraryAgent } from '../../../../internal/service/library/library-agent.ts'
import type { ApprovalQuestion, LibraryOptions } from '../../../../internal/service/library/library-types.ts'
import { toolsetNames } from '../../../../internal/toolset/index.ts'
import { plant, scratch } from '../../../support/scratch.ts'

let home: string
let options: LibraryOptions
beforeEach(() => {
  home = scratch()
  plant(home, { 'work/notes.md': 'thirty seconds\n' })
  options = {
    model: 'script:replies.jsonl',
    workspaceRoot: join(home, 'work'),
    env: { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: join(home, 'data') },
  }
})

const replies = (...lines: object[]) =>
  plant(home, { 'work/replies.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') })
const calls = (name: string, args: object) => ({ calls: [{ name, args }] })

const add = defineFunction({
  name: 'add',
  description: 'Adds',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
  },
  execute: ({ a, b }) => String(Number(a) + Number(b)),
})

test('runs tasks in sequence in one thread, also if they are given at once', async () => {
  replies(calls('read', { path: 'notes.md' }), { text: 'thirty' })
  const events: string[] = []
  const agent = await createLibraryAgent({ ...options, onEvent: ({ type }) => events.push(type) })
  const [first, second] = await Promise.all([agent.run('How long?'), agent.run('And again?')])
  expect([first.end, first.text, second.end, second.text]).toEqual(['done', 'thirty', 'done', 'thirty'])
  expect(second.thread).toBe(first.thread)
  expect(first.spent.calls).toBe(1)
  const turns = events.filter((type) => type === 'system.init' || type === 'run.ended')
  expect(turns).toEqual(['system.init', 'run.ended', 'system.init', 'run.ended'])
})

test('a custom tool needs approval, and the answer counts for one call', async () => {
  const asked: ApprovalQuestion[] = []
  // the name with its prefix is accepted too
  replies(calls('add', { a: 2, b: 3 }), calls('fn__add', { a: 9, b: 9 }), { text: 'end' })
  const results: string[] = []
  const agent = await createLibraryAgent({
    ...options,
    extraTools: [add],
    approve: (question) => {
      asked.push(question)
      return question.args.a === 2 ? true : { allow: false, why: 'too large' }
    },
    onEvent: ({ type, payload }) => {
      if (type === 'tool.result') results.push((payload as { text: string }).text)
    },
  })
  expect((await agent.run('Add')).end).toBe('done')
  expect(asked.map(({ tool, args }) => [tool, args])).toEqual([
    ['fn__add', { a: 2, b: 3 }],
    ['fn__add', { a: 9, b: 9 }],
  ])
  expect(results[0]).toBe('5')
  expect(results[1]).toContain('too large')
})

test.each(toolsetNames)('with %s a tool has the name that the program gave it', async (toolset) => {
  const named = { ...add, name: 'Add_Numbers' }
  replies(calls('Add_Numbers', { a: 2, b: 3 }), { text: 'end' })
  const results: unknown[] = []
  const agent = await createLibraryAgent({
    ...{ ...options, toolset, tools: [named] },
    approve: () => true,
    onEvent: ({ type, payload }) => {
      if (type === 'tool.result') results.push(payload)
    },
  })
  expect(agent.tools.map((tool) => tool.function.name)).toEqual(['Add_Numbers'])
  expect((await agent.run('Add')).end).toBe('done')
  expect(results).toMatchObject([{ tool: 'fn__add_numbers', ok: true, text: '5' }])
})

test.each(['', ' ', 'x y', '1x', 'ä', 'a.b', 'a/b', 'a'.repeat(61), '_a', 'a\n', 7, null])(
  'rejects the name %j when the tool is defined',
  (name) => {
    const wrong = { ...add, name: name as string }
    expect(() => defineFunction(wrong)).toThrow(/has an invalid name/)
  },
)

test('denies a call that needs approval without an answer, or if the answer fails', async () => {
  for (const approve of [
    undefined,
    () => {
      throw new Error('broken')
    },
    () => 'yes' as unknown as boolean,
  ]) {
    replies(calls('create_file', { path: 'x.txt', content: '' }), { text: 'end' })
    const agent = await createLibraryAgent({ ...options, ...(approve && { approve }) })
    const { unanswered } = await agent.run('Write')
    expect(existsSync(join(home, 'work/x.txt'))).toBe(false)
    expect(unanswered.length).toBe(approve ? 0 : 1)
  }
})

test('offers exactly the listed tools, in their order, also of several toolsets', async () => {
  replies({ text: 'end' })
  const names = async (more: Partial<LibraryOptions>) =>
    (await createLibraryAgent({ ...options, ...more })).tools.map((tool) => tool.function.name)
  expect(await names({ tools: ['grep', add, 'read'] })).toEqual(['grep', 'add', 'read'])
  expect(await names({ toolset: 'ah', tools: [add, 'bash', 'hooman/edit_file'] })).toEqual([
    'add',
    'bash',
    'edit_file',
  ])
  const usual = await names({ toolset: 'hooman' })
  expect(await names({ toolset: 'hooman', extraTools: [add] })).toEqual([...usual, 'add'])
})

test('applies a time limit and a signal to a run', async () => {
  replies(calls('sleep', { seconds: 30 }))
  const agent = await createLibraryAgent({ ...options, tools: ['sleep'] })
  expect(await agent.run('Wait', { timeoutSeconds: 0.5 })).toMatchObject({ reason: 'time' })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 300)
  replies(calls('sleep', { seconds: 30 }))
  expect(await agent.run('Wait', { signal: stop.signal })).toMatchObject({ end: 'cancelled' })
})

test.each([
  [{ model: '' }, /^model is missing/],
  [{ workspaceRoot: undefined }, /^workspaceRoot is missing/],
  [{ tool: ['read'] }, /^unknown option "tool"/],
  [{ tools: ['read'], extraTools: ['grep'] }, /tools and extraTools exclude each other/],
  [{ tools: ['reed'] }, /unknown tool reed/],
  [{ tools: [add, add] }, /two tools have the name add/],
  [{ tools: [{ name: 'x' }] }, /the tool x has no execute/],
  [{ tools: [{ ...add, name: 'x y' }] }, /the tool x y has an invalid name/],
  [{ tools: ['read', { ...add, name: 'read' }] }, /the name read belongs to another tool/],
  [{ toolset: 'ah', extraTools: [{ ...add, name: 'bash' }] }, /the name bash belongs to another tool/],
  [{ profile: 'review', tools: ['bash'] }, /the tool bash is not offered: .*/],
  [{ profile: 'missing' }, /unknown profile missing/],
  [{ toolset: 'nothing' }, /nothing/],
  [{ approval: 'all' }, /unknown mode "all"/],
  [{ maxTurns: 0 }, /maxTurns/],
  [{ model: 'script:nowhere.jsonl' }, /nowhere\.jsonl/],
])('rejects %j before anything runs', async (wrong, why) => {
  replies({ text: 'end' })
  const wanted = { ...options, ...wrong } as LibraryOptions
  await expect(createLibraryAgent(wanted)).rejects.toThrow(why)
})

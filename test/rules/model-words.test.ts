// The descriptions of tools for a model: equal to the output of `anode tools show`, with every parameter, and
// no sentence twice.

import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it, test } from 'vitest'
import type * as z from 'zod/mini'
import { show } from '../../cmd/anode/tools/show.ts'
import type { CommandIo } from '../../cmd/anode/verb.ts'
import { toolConventions } from '../../internal/agent/system-prompt.ts'
import { runHeadless } from '../../internal/runtime/run/headless-run.ts'
import { loadWorkspaceProfiles, readWorkspaceContext } from '../../internal/runtime/workspace/workspace.ts'
import { openDirectCalls } from '../../internal/service/calls/direct-call.ts'
import { features } from '../../internal/service/features/index.ts'
import { toToolDescription } from '../../internal/tool/describe.ts'
import { metaOf } from '../../internal/tool/field.ts'
import { nativeTools } from '../../internal/tools/index.ts'
import { type Received, type ServedFormat, serveModel } from '../support/model-server.ts'
import { scratchWith } from '../support/scratch.ts'
import { bench, closing, oneTask } from '../support/study-run.ts'

type Place = Pick<CommandIo, 'cwd' | 'env' | 'signal'>
type Body = Received['body']

/** The system text and the tools in a request of each wire format. */
const wires: Readonly<Record<ServedFormat, (body: Body) => { system: string; tools: Body[] }>> = {
  chat: (body) => ({
    system: body.messages[0].content,
    tools: body.tools.map(({ function: { name, description, parameters } }: Body) => ({
      name,
      about: description,
      inputSchema: parameters,
    })),
  }),
  responses: (body) => ({
    system: body.input[0].content[0].text,
    tools: body.tools.map(({ name, description, parameters }: Body) => ({
      name,
      about: description,
      inputSchema: parameters,
    })),
  }),
  messages: (body) => ({
    system: body.system.map(({ text }: Body) => text).join(''),
    tools: body.tools.map(({ name, description, input_schema }: Body) => ({
      name,
      about: description,
      inputSchema: input_schema,
    })),
  }),
}

/**
 * Limit in tokens of the first request, as sent over Chat Completions, and of the system text in any format.
 */
const maxTokens: Readonly<Record<string, number>> = { quick: 2600, craft: 7000, propose: 2000 }
const maxWorkerTokens = 2600
const maxSystemTokens = 900

function placeWith(baseUrl: string, apiFormat: ServedFormat): Place {
  const config = { model: 'openai/any', providers: { openai: { baseUrl, apiKey: 'k', apiFormat } } }
  const home = scratchWith({ 'config/anode/config.json': JSON.stringify(config), 'ws/a': '' })
  const data = { ANODE_DATA_DIR: join(home, 'data'), XDG_CONFIG_HOME: join(home, 'config') }
  const env = { PATH: process.env.PATH, HOME: home, ...data }
  return { cwd: join(home, 'ws'), env, signal: new AbortController().signal }
}

async function run(at: Place, profile: string) {
  const { end } = await runHeadless({
    ...at,
    profile,
    prompt: 'go',
    mode: 'ask',
    addDirs: [],
    features,
    terminal: undefined,
    caps: {},
    ask: async () => ({ allow: false, why: 'a test' }),
    show: () => undefined,
    inbox: async () => [],
    note: () => undefined,
  })
  expect(end).toMatchObject({ end: 'done', text: 'done' })
}

/**
 * Returns the tools that `anode tools list --profile` prints, without those that are offered only in a
 * session of experiments.
 */
async function offeredTo(profile: string, at: Place): Promise<string[]> {
  const rest = { mode: 'ask', approval: 'none', addDirs: [], record: 'changes', terminal: undefined } as const
  const session = await openDirectCalls({ ...at, ...rest, addDirs: [], profile })
  const entries = session.catalog.entries.filter(({ hidden }) => hidden === undefined)
  await session.close()
  return entries.map(({ name }) => name).filter((name) => !/^(run|log)_experiment$/.test(name))
}

/** Returns the output of `anode tools show NAME --json`, in this process. */
async function shownContract(name: string, at: Place) {
  let out = ''
  const stdout = {
    write: (text: string) => {
      out += text
    },
  }
  expect(await show.run({ NAME: name, json: true }, { ...at, stdout } as unknown as CommandIo)).toBe(0)
  const { about, inputSchema } = JSON.parse(out)
  return { name, about, inputSchema }
}

/** Tool names that are not used as another word in a prompt. */
const toolNames = [...Object.keys(nativeTools).filter((name) => name.includes('_')), 'finder', 'bash']

/** Returns the tools that a text refers to. */
const toolsNamedIn = (text: string) => toolNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text))

/** Returns a contract without the parameters and sentences that are not offered among these tools. */
function toldAmong(names: readonly string[], contract: unknown): unknown {
  const { inputSchema, about, ...rest } = contract as { inputSchema: Body; about: string }
  const trim = (schema: Body): Body => {
    if (Array.isArray(schema)) return schema.map(trim)
    if (typeof schema !== 'object' || schema === null) return schema
    const { 'x-with': _with, 'x-offer': _offer, ...bare } = schema
    return Object.fromEntries(
      Object.entries<Body>(bare)
        .filter(([, one]) => !one?.['x-offer'] && (!one?.['x-with'] || names.includes(one['x-with'])))
        .map(([name, one]) => [name, trim(one)]),
    )
  }
  return { ...rest, about: aboutAmong(names, about), inputSchema: trim(inputSchema) }
}

/** Returns the tools that a description asks the model to use. A sentence about a missing tool is dropped. */
const usedIn = (sentence: string) =>
  [...sentence.matchAll(/\b(?:use|with) `?(\w+_\w+)/g)].flatMap(([, name = '']) =>
    toolNames.includes(name) ? [name] : [],
  )

const aboutAmong = (names: readonly string[], about: string) =>
  about
    .split('\n')
    .map((line) =>
      line
        .split(/(?<=\.) /)
        .filter((sentence) => usedIn(sentence).every((name) => names.includes(name)))
        .join(' '),
    )
    .join('\n')
    .trim()

/** Returns the tool without its list of profiles, which differs from workspace to workspace. */
function withoutProfiles(tool: { name: string; inputSchema: unknown }): unknown {
  if (tool.name !== 'task') return tool
  const { properties = {}, ...schema } = tool.inputSchema as { properties?: Record<string, Body> }
  const { enum: profiles, ...profile } = properties.profile as Body
  expect(profiles).toContain('find')
  expect(profiles).not.toContain('aggman')
  return { ...tool, inputSchema: { ...schema, properties: { ...properties, profile } } }
}

/** Parameters without a description, at any depth. */
const undescribed = (schema: Body, place = ''): string[] => [
  ...Object.entries<Body>(schema?.properties ?? {}).flatMap(([name, one]) => [
    ...(one.description ? [] : [`${place}${name}`]),
    ...undescribed(one, `${place}${name}.`),
  ]),
  ...(schema?.items ? undescribed(schema.items, `${place}[].`) : []),
]

test.each(Object.keys(wires) as ServedFormat[])(
  'a first request over %s offers every profile what tools show prints',
  async (format) => {
    const server = await serveModel(() => ({ text: 'done' }))
    try {
      const at = placeWith(server.url, format)
      const { all } = await loadWorkspaceProfiles(await readWorkspaceContext(at.cwd, at.env))
      const shown = new Map<string, unknown>()
      for (const { name: profile } of all) {
        await run(at, profile)
        const { body, raw } = server.requests.at(-1) as Received
        const { system, tools } = wires[format](body)
        expect(system).toContain(toolConventions)
        expect(countTokens(system)).toBeLessThanOrEqual(maxSystemTokens)
        const names: string[] = tools.map(({ name }) => name)
        const offered = await offeredTo(profile, at)
        // the others wait for a search that names them, are of no use alone, or have no user to ask
        expect(names.filter((name) => !offered.includes(name) && name !== 'tool_search')).toEqual([])
        const useless = ['jobs', 'todo_read', 'list_skills', 'ask_user']
        const [, waiting = ''] = /tool_search shows and calls: (.*)/.exec(system) ?? []
        for (const name of offered.filter((one) => !names.includes(one) && !useless.includes(one)))
          expect(waiting.split(', ')).toContain(name)
        expect(names.includes('tool_search')).toBe(waiting !== '')
        const within = [...names, ...waiting.split(', ')]
        // "ask_user where it is offered" is true of any run
        const named = toolsNamedIn(system).filter((name) => name !== 'ask_user' && name !== 'tool_search')
        expect([profile, named.filter((name) => !within.includes(name))]).toEqual([profile, []])
        for (const name of names) if (!shown.has(name)) shown.set(name, await shownContract(name, at))
        expect(tools.map(withoutProfiles)).toEqual(names.map((name) => toldAmong(within, shown.get(name))))
        for (const tool of tools) expect([tool.name, undescribed(tool.inputSchema)]).toEqual([tool.name, []])
        if (format === 'chat' && maxTokens[profile])
          expect([profile, Math.max(countTokens(raw), maxTokens[profile])]).toEqual([
            profile,
            maxTokens[profile],
          ])
      }
      expect(shown.size).toBeGreaterThan(20)
    } finally {
      await server.close()
    }
  },
)

test.each([[['repo']], [['web']], [['repo', 'web']]] as const)(
  'the first request of a study worker with %j describes every parameter and names no missing tool',
  async (sources) => {
    const closed = JSON.stringify({ claims: closing('E1.1').claims, gaps: [] })
    const server = await serveModel(() => ({ text: closed }))
    try {
      const at = bench()
      const keys = { OPENAI_API_KEY: 'sk-test-0123456789abcdef', SERPER_KEY: 'k' }
      Object.assign(at.env, { OPENAI_BASE_URL: server.url, ...keys })
      const plan = at.plan(oneTask.map((task) => ({ ...task, sources })))
      await at.start({ plan, model: 'openai/gpt-5.4', workers: 1, sources: [...sources] })
      const { body, raw } = server.requests[0] as Received
      const { system, tools } = wires.chat(body)
      expect(system).toMatch(/^You are one worker of a study/)
      const names: string[] = tools.map(({ name }) => name)
      expect(names.includes('read')).toBe(sources.includes('repo' as never))
      expect(names.includes('web_fetch')).toBe(sources.includes('web' as never))
      for (const tool of tools) expect([tool.name, undescribed(tool.inputSchema)]).toEqual([tool.name, []])
      const texts = [system, ...tools.map(({ about }) => about)].join('\n')
      expect(toolsNamedIn(texts).filter((name) => !names.includes(name))).toEqual([])
      if (sources.length === 1) expect(Math.max(countTokens(raw), maxWorkerTokens)).toBe(maxWorkerTokens)
    } finally {
      await server.close()
    }
  },
)

interface Def {
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
  defaultValue?: unknown
}
const defOf = (type: z.core.$ZodType) => type._zod.def as unknown as Def

/** Returns the facts about a parameter and its fields that the schema does not contain. */
function unsaid(type: z.core.$ZodType, told: Body, place: string): string[] {
  const meta = metaOf(type)
  if (meta?.hidden) return told === undefined ? [] : [`${place} is hidden`]
  if (told === undefined) return [`${place} is not told`]
  const out: string[] = []
  if (!(meta && told.description?.startsWith(meta.description.replace(/\.$/, ''))))
    out.push(`${place}: description`)
  if (meta?.cap !== undefined && !told.description.endsWith(`, max ${meta.cap}`)) out.push(`${place}: cap`)
  let inner = type
  for (let def = defOf(inner); def.innerType; def = defOf(inner)) {
    if (def.defaultValue !== undefined && JSON.stringify(def.defaultValue) !== JSON.stringify(told.default))
      out.push(`${place}: default`)
    inner = def.innerType
  }
  const item = defOf(inner).element
  const fields = item && !meta?.likeSiblings ? defOf(item).shape : undefined
  for (const [name, field] of Object.entries(fields ?? {}))
    out.push(...unsaid(field, told.items.properties[name], `${place}[].${name}`))
  return out
}

const tools = await Promise.all(Object.values(nativeTools).map((load) => load()))

it('describes every parameter with its text, default and cap', () => {
  const gaps = tools.flatMap((tool) => {
    const { schema } = toToolDescription(tool, 'native')
    const told = schema.properties as Body
    return Object.entries(defOf(tool.input).shape ?? {}).flatMap(([name, type]) =>
      unsaid(type, told[name], `${tool.name} ${name}`),
    )
  })
  expect(gaps).toEqual([])
})

it('has no sentence in two places', () => {
  const seen = new Map<string, string>()
  const twice: string[] = []
  const texts = [['the system text', toolConventions], ...tools.map(({ name, about }) => [name, about])]
  for (const [name = '', text = ''] of texts) {
    for (const sentence of text.split(/(?<=[.:;])\s+/).filter((one) => one.split(' ').length > 3)) {
      const before = seen.get(sentence)
      if (before !== undefined) twice.push(`${before} and ${name}: ${sentence}`)
      seen.set(sentence, name)
    }
  }
  expect(twice).toEqual([])
})

it('describes no parameter by its name alone', () => {
  const empty = tools.flatMap((tool) => {
    const { schema } = toToolDescription(tool, 'native')
    return Object.entries((schema.properties ?? {}) as Record<string, Body>).flatMap(([name, told]) => {
      const own = new Set([...name.toLowerCase().split(/[^a-z]+/), 'the', 'a', 'of', 'to'])
      const words: string[] = told.description.toLowerCase().split(/[^a-z0-9]+/)
      return words.every((word) => word === '' || own.has(word)) ? [`${tool.name} ${name}`] : []
    })
  })
  expect(empty).toEqual([])
})

// Each adapter gets objects made from its schema. Its result fits the native tool and is the same each time.
import { describe, expect, test } from 'vitest'
import { FailureError, failureCodes } from '../../../internal/base/errors.ts'
import { type Level, levels } from '../../../internal/policy/level.ts'
import { toJsonSchema } from '../../../internal/tool/describe.ts'
import { parseArguments } from '../../../internal/tool/parse.ts'
import { failureResult } from '../../../internal/tool/result.ts'
import type { Tool, ToolInput } from '../../../internal/tool/tool.ts'
import { nativeTools } from '../../../internal/tools/index.ts'
import { variantOf } from '../../../internal/tools/variants/index.ts'
import { neededTools } from '../../../internal/toolset/adapter-entries.ts'
import { type AdapterContext, createAdapterTool } from '../../../internal/toolset/adapter-tool.ts'
import { loadToolset, toolsetNames } from '../../../internal/toolset/index.ts'
import { chooseTarget } from '../../../internal/toolset/map-arguments.ts'
import { adaptersOf } from '../../../internal/toolset/resolve-adapter.ts'
import { choice, type Rng, rng } from '../../support/rng.ts'

type Json = Record<string, unknown>

const texts = ['a', 'src/main.ts', '/a', 'a.PNG', '*.ts', 'x'.repeat(400), 'ä', '10:30', '2026-01-31', 'DE']

/** Returns a value of a schema. Bounds are as frequent as the values between them. */
function valueFor(schema: Json, random: Rng): unknown {
  const {
    type,
    minimum = 0,
    maximum = 2 ** 53 - 1,
  } = schema as { type: string; minimum?: number; maximum?: number }
  if (schema.enum) return choice(random, schema.enum as unknown[])
  switch (type) {
    case 'string':
      return choice(random, texts)
    case 'boolean':
      return random() < 0.5
    case 'integer':
      return choice(random, [minimum, maximum, Math.min(maximum, minimum + Math.floor(random() * 1000))])
    case 'number':
      return choice(random, [minimum || 0.001, Math.min(maximum, 1e9), random() * 100])
    case 'array': {
      const least = Number(schema.minItems ?? 0)
      const most = Math.min(Number(schema.maxItems ?? 6), 6)
      const length = choice(random, [least, Math.max(least, most)])
      return Array.from({ length }, () => valueFor(schema.items as Json, random))
    }
    default:
      return schema.properties ? objectOf(schema, random) : { 'x-test': 'a' }
  }
}

function objectOf(schema: Json, random: Rng): Json {
  const required = new Set(schema.required as string[] | undefined)
  const entries = Object.entries(schema.properties as Record<string, Json>)
  const given = entries.filter(([name]) => required.has(name) || random() < 0.4)
  return Object.fromEntries(given.map(([name, one]) => [name, valueFor(one, random)]))
}

const objects = 500

/** Names of all parameters, those of items too. */
function parameterNames({ properties = {}, items }: Json): string[] {
  const own = Object.entries(properties as Record<string, Json>).flatMap(([name, one]) => [
    name,
    ...parameterNames(one),
  ])
  return items ? [...own, ...parameterNames(items as Json)] : own
}

/** Returns undefined for arguments that the adapter itself refuses. */
function mapOrRefuse({ adapter }: Tool, given: Json) {
  try {
    return adapter?.map(given, { env: {} })
  } catch (error) {
    if (error instanceof FailureError) return undefined
    throw error
  }
}

for (const name of toolsetNames) {
  const set = await loadToolset(name)
  const known = adaptersOf(set).filter(({ adapter }) =>
    neededTools(adapter).every((tool) => Object.hasOwn(nativeTools, tool)),
  )
  if (known.length === 0) continue
  const context: AdapterContext = {
    toolset: name,
    tools: new Map(
      known.flatMap(({ adapter }) => neededTools(adapter).map((tool) => [tool, adapter.name] as const)),
    ),
    nativeTools: new Set(Object.keys(nativeTools)),
    pager: undefined,
    load: async (tool) => variantOf(await (nativeTools[tool] as (typeof nativeTools)[string])()),
  }
  describe(name, () => {
    test.each(known.map((one) => [one.adapter.name, one.adapter] as const))('%s', async (_, adapter) => {
      const schema = toJsonSchema(adapter.input)
      const tools = new Map(
        await Promise.all(
          adapter.to.map(
            async (to) => [to, createAdapterTool(adapter, to, await context.load(to.tool), context)] as const,
          ),
        ),
      )
      const random = rng(7)
      const natives = new Map(
        await Promise.all(adapter.to.map(async (to) => [to, await context.load(to.tool)] as const)),
      )
      const hit = new Set<unknown>()
      const wrong: Json[] = []
      for (let i = 0; i < objects; i++) {
        const parsed = parseArguments(adapter.input, objectOf(schema, random))
        if (!parsed.ok) continue
        const given = parsed.args as Json
        const target = chooseTarget(adapter.to, given)
        const tool = tools.get(target)
        if (!tool?.adapter) throw new Error(`${adapter.name} has no tool for ${target.tool}`)
        const first = mapOrRefuse(tool, given)
        // limits of the environment are in no schema
        if (!first) continue
        if (JSON.stringify(tool.adapter.map(given, { env: {} })) !== JSON.stringify(first)) wrong.push(given)
        if (!parseArguments(natives.get(target)?.input as ToolInput, first.args).ok) wrong.push(given)
        hit.add(target)
      }
      expect(wrong).toEqual([])
      for (const [to, tool] of tools)
        expect(levels.indexOf(tool.level)).toBeGreaterThanOrEqual(
          levels.indexOf(natives.get(to)?.level as Level),
        )
      expect(hit.size, 'targets that were chosen').toBe(adapter.to.length)
    })

    test.each(known.map((one) => [one.adapter.name, one.adapter] as const))(
      'failures of %s list only tools and parameters of the toolset',
      async (_, adapter) => {
        const random = rng(5)
        const names = known.map((one) => one.adapter.name)
        const here = new Set([...names, ...parameterNames(toJsonSchema(adapter.input))])
        const wrong = new Set<string>()
        for (const to of adapter.to) {
          const native = await context.load(to.tool)
          const words = [...parameterNames(toJsonSchema(native.input)), ...Object.keys(nativeTools)]
          for (let i = 0; i < 100; i++) {
            const say = () => `\`${choice(random, words)}\` is not \`${choice(random, words)}\`.`
            const failure = { code: 'io' as const, message: say(), ...(random() < 0.5 && { hint: say() }) }
            const result = i % 2 === 0 ? failureResult(failure) : undefined
            const run = async () => {
              if (!result) throw new FailureError(failure)
              return result
            }
            const tool = createAdapterTool(adapter, to, { ...native, run }, context)
            const text = await tool.run({}, { cwd: '/' } as never).then(
              ({ failed }) => `${failed?.message}\n${failed?.hint}`,
              (error: FailureError) => `${error.failure.message}\n${error.failure.hint}`,
            )
            for (const [, word = ''] of text.matchAll(/`(\w+)`/g)) if (!here.has(word)) wrong.add(word)
          }
        }
        expect([...wrong]).toEqual([])
      },
    )

    test.each(known.map((one) => [one.adapter.name, one.adapter] as const))(
      'no failure of %s becomes a success',
      async (_, adapter) => {
        const passed: string[] = []
        for (const to of adapter.to) {
          const native = await context.load(to.tool)
          for (const code of failureCodes) {
            for (const how of ['thrown', 'returned', 'returned with text'] as const) {
              const run = async () => {
                const failure = { code, message: 'the subagent ended with failed' }
                if (how === 'thrown') throw new FailureError(failure)
                const result = failureResult(failure)
                return how === 'returned' ? result : { ...result, text: 'What there is so far.' }
              }
              const load = async (tool: string) => ({ ...(await context.load(tool)), run })
              const tool = createAdapterTool(adapter, to, { ...native, run }, { ...context, load })
              const isFailed = await tool.run({}, { cwd: '/' } as never).then(
                ({ failed }) => failed?.code === code,
                // any other error is a bug, which `invoke` reports as one
                (error: unknown) => !(error instanceof FailureError) || error.failure.code === code,
              )
              if (!isFailed) passed.push(`${to.tool} ${code}`)
            }
          }
        }
        // a question without a user is the only failure that a toolset may answer
        const answered = adapter.to.flatMap(({ tool, ifNoUser }) =>
          ifNoUser ? [`${tool} no_user_available`] : [],
        )
        expect([...new Set(passed)]).toEqual(answered)
      },
    )

    test.each(known.map((one) => [one.adapter.name, one.adapter] as const))(
      'the example of %s matches its schema',
      (_, adapter) => {
        expect(parseArguments(adapter.input, adapter.example)).toMatchObject({ ok: true })
        const written = JSON.stringify(toJsonSchema(adapter.input))
        expect(written).not.toMatch(/"(anyOf|oneOf|allOf)"|"type":\[/)
        expect(adapter.to.map((target) => target.when !== undefined)).toEqual(
          adapter.to.map((_, i) => i < adapter.to.length - 1),
        )
      },
    )
  })

  test(`the rules of ${name} contain no allow rule`, () => {
    expect((set.policy?.rules ?? []).filter((rule) => rule.action === 'allow')).toEqual([])
  })
}

test('a failure names the tool of the adapter, and a hint to an unknown tool is left out', async () => {
  const { hooman } = await import('../../../internal/toolset/sets/hooman.ts')
  const adapter = adaptersOf(hooman).find((one) => one.adapter.name === 'edit_file')?.adapter
  const native = await (nativeTools.edit_file as (typeof nativeTools)[string])()
  const target = adapter?.to[0]
  if (!adapter || !target) throw new Error('no face')
  const failing = {
    ...native,
    run: async () => {
      throw new FailureError({
        code: 'bad_args',
        message: '`old` is empty; edit_file takes `edits`',
        hint: 'Name one with occurrence.',
      })
    },
  }
  const context: AdapterContext = {
    toolset: 'hooman',
    tools: new Map(),
    nativeTools: new Set(Object.keys(nativeTools)),
    pager: undefined,
    load: async () => native,
  }
  const tool = createAdapterTool(adapter, target, failing, context)
  const error = await tool.run({}, { cwd: '/' } as never).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    failure: { code: 'bad_args', message: '`oldText` is empty; edit_file takes `edits`' },
  })
  expect((error as FailureError).failure.hint).toBeUndefined()
})

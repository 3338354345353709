// The goldens of toolsets: every adapter has its cases, and every failure with a special text is among them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toJsonSchema } from '../../internal/tool/describe.ts'
import { nativeTools } from '../../internal/tools/index.ts'
import { loadToolset, toolsetNames } from '../../internal/toolset/index.ts'
import { adaptersOf } from '../../internal/toolset/resolve-adapter.ts'
import type { ToolAdapter } from '../../internal/toolset/toolset.ts'
import { golden } from '../support/golden.ts'
import { read, root } from '../support/sources.ts'

interface GoldenCase {
  case: string
  native: { tool: string } | null
  failed?: string
  answered?: string
  text: string
}

/** Adapters with results of one short line, or as long as requested, which are never truncated. */
const uncut = new Set(
  (
    'write_file create_directory move_file get_file_info sleep think get_current_time convert_time ' +
    'ask_user enter_plan_mode exit_plan_mode update_todos write ' +
    'ReadImage Write Edit AskUser TerminalStart TerminalKill question cron'
  ).split(' '),
)

function goldensOf(toolset: string, { name }: ToolAdapter): GoldenCase[] {
  const file = `test/golden/toolset/${toolset}/${name}.json`
  return existsSync(join(root, file)) ? JSON.parse(read(file)) : []
}

const sets = await Promise.all(toolsetNames.map(loadToolset))
const adapters = sets.flatMap(adaptersOf)

test('there are 49 adapters, and two that are offered only on request', () => {
  expect(adapters.filter(({ adapter }) => !adapter.optional).length).toBe(48)
  expect(adapters.filter(({ adapter }) => adapter.optional).map(({ adapter }) => adapter.name)).toEqual([
    'result',
    'str_replace_editor',
  ])
})

/**
 * Describes parameters: `path*` is required, `[0-3600]` are its bounds, `=5` is its default, `{…}` are the
 * fields of list items.
 */
function describeParameters({ properties = {}, required = [] }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, one]) => {
      const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = one
      const [least, most] = [minimum ?? minLength ?? minItems, maximum ?? maxLength ?? maxItems]
      const bounds = least === undefined && most === undefined ? '' : `[${least ?? ''}-${most ?? ''}]`
      const items = one.items?.properties ? `{${describeParameters(one.items)}}` : ''
      const values = one.enum ? `(${one.enum.join('|')})` : (pattern ?? '')
      const fallback = one.default === undefined ? '' : `=${JSON.stringify(one.default)}`
      return `${name}${required.includes(name) ? '*' : ''} ${one.type}${bounds}${values}${items}${fallback}`
    })
    .join(', ')
}

test('parameters, bounds and defaults equal those of the programs that the sets are named after', () => {
  const all = adapters.map(({ toolset, adapter }) => {
    return [`${toolset}/${adapter.name}`, describeParameters(toJsonSchema(adapter.input) as JsonSchema)]
  })
  golden('toolset/parameters.json', `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
})

test('each adapter is shown in usual, edge, rejected and truncated calls', () => {
  const missing = adapters.flatMap(({ toolset, adapter }) => {
    const cases = goldensOf(toolset, adapter)
    const kinds = new Set(cases.map((one) => /usual|edge|refusal|cut/.exec(one.case)?.[0]))
    const needed = ['usual', 'edge', 'refusal', ...(uncut.has(adapter.name) ? [] : ['cut'])]
    const lacking = needed.filter((kind) => !kinds.has(kind))
    if (cases.length < 4) lacking.push(`only ${cases.length} cases`)
    return lacking.map((kind) => `${toolset}/${adapter.name}: ${kind}`)
  })
  expect(missing).toEqual([])
})

test('each key of faults and answers is used', () => {
  const unhit = adapters.flatMap(({ toolset, adapter }) => {
    const cases = goldensOf(toolset, adapter)
    return adapter.to.flatMap(({ tool, faults = {}, ifNoUser }) => {
      const own = cases.filter(({ native }) => native?.tool === tool)
      const codes = { failed: own.map(({ failed }) => failed), answered: own.map(({ answered }) => answered) }
      return [
        ...Object.keys(faults).filter((key) => !codes.failed.includes(key.split('/')[0])),
        ...(ifNoUser && !codes.answered.includes('no_user_available') ? ['no_user_available'] : []),
      ].map((key) => `${toolset}/${adapter.name} ${key}`)
    })
  })
  expect(unhit).toEqual([])
})

test('no failure text mentions a tool that the set lacks', async () => {
  const wrong: string[] = []
  for (const { toolset, adapter } of adapters) {
    const offered = adaptersOf(sets.find(({ name }) => name === toolset) as (typeof sets)[number])
    const names = new Set([
      ...offered.map((one) => one.adapter.name),
      ...parametersOf(toJsonSchema(adapter.input) as JsonSchema),
    ])
    const isNativeSet = sets.find(({ name }) => name === toolset)?.adapters.includes('*')
    for (const { case: title, native, failed, text } of goldensOf(toolset, adapter)) {
      if (failed === undefined || !native) continue
      const tool = await nativeTools[native.tool]?.()
      const natives = new Set([
        ...(isNativeSet ? [] : Object.keys(nativeTools)),
        ...(tool ? parametersOf(toJsonSchema(tool.input) as JsonSchema) : []),
      ])
      for (const [, name = ''] of text.matchAll(/`(\w+)`/g))
        if (natives.has(name) && !names.has(name)) wrong.push(`${toolset}/${adapter.name} ${title}: ${name}`)
    }
  }
  expect(wrong).toEqual([])
})

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  required?: string[]
  type?: string
  enum?: string[]
  pattern?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Returns the names of all parameters, including those of items. */
function parametersOf({ properties = {}, items }: JsonSchema): string[] {
  const own = Object.entries(properties).flatMap(([name, one]) => [name, ...parametersOf(one)])
  return items ? [...own, ...parametersOf(items)] : own
}

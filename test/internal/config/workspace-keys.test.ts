// Classes of all schema keys for workspaces: no workspace loosens a setting of the user.
import { expect, test } from 'vitest'
import { layerConfigs } from '../../../internal/config/layer.ts'
import { configSchema } from '../../../internal/config/published.ts'
import type { AnodeConfig } from '../../../internal/config/schema.ts'
import { classOf } from '../../../internal/config/workspace-keys.ts'

interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
}

/** Returns every key with a value and its schema. Names of records are `*`. */
function leavesOf(schema: Schema, key: readonly string[] = []): { key: readonly string[]; schema: Schema }[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
    leavesOf(one, [...key, name]),
  )
  const named = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const records = named ? leavesOf(named, [...key, '*']) : []
  return below.length + records.length > 0 ? [...below, ...records] : [{ key, schema }]
}

const leaves = leavesOf(configSchema() as Schema)

test('the schema contains many keys', () => {
  expect(leaves.length).toBeGreaterThan(100)
})

test.each(leaves.map(({ key }) => key.join('.')))('the key %s has a class', (key) => {
  const kind = classOf(key.split('.'))
  const kinds = ['user', 'preference', 'added', 'joined', 'lower', 'false', 'true']
  expect(typeof kind === 'string' ? kinds : [kind]).toContain(kind)
  expect(typeof kind === 'string' || Array.isArray(kind)).toBe(true)
})

/** Returns values that the schema allows for a leaf, at least two different ones. */
function valuesOf({ type, enum: words, anyOf, items }: Schema): unknown[] {
  if (words) return words
  if (anyOf) return anyOf.flatMap(valuesOf)
  if (type === 'boolean') return [true, false]
  if (type === 'integer' || type === 'number') return [3, 5, 7]
  if (type === 'array') return items?.type === 'string' ? [['own'], ['other']] : []
  return ['own', 'other']
}

const build = (key: readonly string[], value: unknown): AnodeConfig =>
  key.reduceRight<unknown>((inner, part) => ({ [part === '*' ? 'name' : part]: inner }), value) as AnodeConfig
const readAt = (config: unknown, key: readonly string[]): unknown =>
  key.reduce<unknown>(
    (at, part) => (at as Record<string, unknown> | undefined)?.[part === '*' ? 'name' : part],
    config,
  )

/** Values from the loosest to the strictest, repeated here by hand. */
const orders: Readonly<Record<string, readonly unknown[]>> = {
  permissionPreset: ['unrestricted', undefined, 'careful', 'strict'],
  sandbox: ['off', undefined, 'require'],
}

const pairs = leaves.flatMap(({ key, schema }) => {
  const values = valuesOf(schema)
  return [undefined, ...values].flatMap((user) => values.map((own) => ({ key, user, own })))
})

test('the table covers many pairs', () => {
  expect(pairs.length).toBeGreaterThan(300)
})

test.each(pairs)('$key: the user has $user, a workspace sets $own', ({ key, user, own }) => {
  const { config, notes } = layerConfigs([
    { path: '/home/config.json', from: 'user', config: user === undefined ? {} : build(key, user) },
    { path: '/work/anode.json', from: 'workspace', config: build(key, own) },
  ])
  const result = readAt(config, key)
  const kind = classOf(key)
  const dotted = key.join('.')
  const isIn = (value: unknown, all: unknown) => (Array.isArray(all) ? all : []).includes(value)
  if (kind === 'user') expect(result).toEqual(user)
  if (kind === 'joined')
    for (const one of (user as unknown[] | undefined) ?? []) expect(isIn(one, result)).toBe(true)
  if (kind === 'added' && user !== undefined) expect(result).toEqual(user)
  if (kind === 'false') expect(result).toBe(own === false ? false : user)
  if (kind === 'true') expect(result).toBe(own === true ? true : user)
  if (kind === 'lower') expect(result).toBe(Math.min(Number(own), user === undefined ? 9 : Number(user)))
  const order = orders[dotted]
  if (order) {
    const rank = (value: unknown) =>
      order.indexOf(value === 'yolo' ? 'unrestricted' : value === 'auto' ? undefined : value)
    expect(rank(result)).toBe(
      Math.max(rank(user), own === 'unrestricted' || own === 'off' ? rank(user) : rank(own)),
    )
  }
  const isTaken = kind === 'joined' || result === own || JSON.stringify(result) === JSON.stringify(own)
  if (!isTaken) expect(notes.join()).toMatch(/is ignored: /)
})

test("a trusted anode.json that widens the user's setting changes nothing", () => {
  const user: AnodeConfig = {
    permissionPreset: 'strict',
    ...{ web: { enabled: false }, mcp: { enabled: false }, otel: { content: false } },
  }
  const { config, notes } = layerConfigs([
    { path: '/home/config.json', from: 'user', config: user },
    {
      path: '/work/anode.json',
      from: 'workspace',
      config: {
        permissionPreset: 'careful',
        ...{ web: { enabled: true, searxngUrl: 'http://127.0.0.1:1/' }, mcp: { enabled: true } },
        ...{ otel: { content: true }, plugins: { sandbox: { network: ['evil.example'] } } },
      },
    },
  ])
  expect(config).toEqual(user)
  expect(notes).toHaveLength(6)
})

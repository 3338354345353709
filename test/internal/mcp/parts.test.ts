// The small parts on their own: variables, names, levels, schemas, results.
import { expect, test } from 'vitest'
import { resultOf } from '../../../internal/mcp/call-result.ts'
import {
  type DeclaredServer,
  describeLaunch,
  type McpServerSettings,
  serverOf,
} from '../../../internal/mcp/config/server-config.ts'
import { levelOf } from '../../../internal/mcp/config/tool-level.ts'
import { admitsTool, toolName } from '../../../internal/mcp/config/tool-names.ts'
import { expandAllVariables, expandVariables } from '../../../internal/mcp/config/variable-expansion.ts'
import { flattenSchema } from '../../../internal/tool-support/foreign-schema.ts'

const v = (name: string) => `\${${name}}`

test.each([
  ['nothing to fill', 'plain', 'plain'],
  ['a variable', `a ${v('ONE')} b`, 'a 1 b'],
  ['a default that is not needed', v('ONE:-x'), '1'],
  ['a default', v('NONE:-x y'), 'x y'],
  ['an empty default', v('NONE:-'), ''],
  ['an empty variable with a default', v('EMPTY:-x'), 'x'],
  ['an empty variable', v('EMPTY'), ''],
  ['no braces', '$ONE', '$ONE'],
])('expand: %s', (_, text, full) => {
  expect(expandVariables(text, { ONE: '1', EMPTY: '' })).toBe(full)
})

test('the error lists variables that are not set', () => {
  expect(() => expandVariables(`${v('A')} ${v('B')}`, {})).toThrow(/A, B is not set/)
  expect(expandAllVariables({ x: v('ONE') }, { ONE: '1' })).toEqual({ x: '1' })
})

test.each([
  ['echo', 'mcp__srv__echo'],
  ['get-sum', 'mcp__srv__get-sum'],
  ['a.b', /^mcp__srv__a_b_[0-9a-f]{6}$/],
  ['x'.repeat(90), /^mcp__srv__x+_[0-9a-f]{6}$/],
])('the tool %s gets a name that providers take', (tool, name) => {
  const made = toolName({ slug: 'srv' }, tool, new Set())
  expect(made).toMatch(name)
  expect(made).toMatch(/^[\w-]{1,64}$/)
})

test('two tools never get the same name', () => {
  const taken = new Set<string>()
  const names = ['a.b', 'a_b', 'a/b', 'a b'].map((tool) => toolName({ slug: 's' }, tool, taken))
  expect(new Set(names).size).toBe(4)
})

test.each([
  [undefined, [], 'anything', true],
  [['read_*'], [], 'read_file', true],
  [['read_*'], [], 'write_file', false],
  [undefined, ['*_file'], 'write_file', false],
  [['*'], ['write_file'], 'write_file', false],
])('include %j and exclude %j for %s: %s', (include, exclude, tool, admitted) => {
  expect(admitsTool({ include, exclude }, tool)).toBe(admitted)
})

const context = { env: { TOKEN: 't0' }, workspace: '/work', home: '/home/me', trusted: false, defaults: {} }
const server = (settings: McpServerSettings, more: Partial<DeclaredServer> = {}) =>
  serverOf({ name: 'srv', origin: 'user', path: '/home/me/mcp.json', settings, ...more }, context)

const reads = { readOnlyHint: true }
test.each([
  ['nothing is said', {}, reads, 'confirm_execute'],
  ['hints are trusted', { trustAnnotations: true }, reads, 'external_read'],
  [
    'hints contradict each other',
    { trustAnnotations: true },
    { ...reads, destructiveHint: true },
    'confirm_execute',
  ],
  ['a hint says nothing', { trustAnnotations: true }, undefined, 'confirm_execute'],
  ['the server has a level', { level: 'auto_read' }, undefined, 'auto_read'],
  [
    'the tool has a level',
    { level: 'auto_read', levels: { 'ec*': 'confirm_write' } },
    undefined,
    'confirm_write',
  ],
] as const)('level when %s', (_, settings, hints, level) => {
  const one = server({ command: 'x', ...settings })
  expect(levelOf(one, 'echo', hints)).toBe(level)
})

test('a workspace cannot lower the level of its servers', () => {
  const settings = { command: 'x', level: 'auto_read', levels: { a: 'auto_read' }, trustAnnotations: true }
  const own = server(settings, { origin: 'workspace', path: '/work/.mcp.json' })
  expect(levelOf(own, 'a', reads)).toBe('confirm_execute')
  const skill = server(settings, { origin: 'skill', path: '/work/.agents/skills/s/SKILL.md' })
  expect(levelOf(skill, 'a', reads)).toBe('confirm_execute')
})

test('resolves the command, arguments and environment of a server', () => {
  const settings = { command: './run', args: [`--t=${v('TOKEN')}`], env: { T: v('TOKEN') } }
  const { launch } = server(settings)
  expect(launch).toEqual({
    kind: 'stdio',
    command: '/home/me/run',
    args: ['--t=t0'],
    env: { T: 't0' },
    cwd: '/home/me',
  })
  expect(server({ command: 'npx' }, { origin: 'workspace', path: '/work/.mcp.json' }).launch).toMatchObject({
    command: 'npx',
    cwd: '/work',
  })
  expect(describeLaunch(server(settings))).toBe(`/home/me/run --t=${v('TOKEN')}`)
  expect(server({ command: 'x', cwd: 'sub' }).launch).toMatchObject({ cwd: '/home/me/sub' })
  expect(server({ command: 'x', cwd: v('ANODE_WORKSPACE') }).launch).toMatchObject({ cwd: '/work' })
})

test('the digest of a command depends on its text, not on its secrets', () => {
  const settings = { command: 'x', env: { T: v('TOKEN') } }
  const other = serverOf(
    { name: 'srv', origin: 'user', path: '/home/me/mcp.json', settings },
    { ...context, env: { TOKEN: 'new' } },
  )
  expect(server(settings).print).toBe(other.print)
  expect(server({ ...settings, args: ['-v'] }).print).not.toBe(server(settings).print)
})

test.each([
  [{}, /neither command nor url/],
  [{ url: 'gopher://x' }, /not an http/],
  [{ url: 'nonsense' }, /not an http/],
  [{ command: `x${v('NONE')}`, args: [] }, /NONE is not set/],
])('%j cannot be used', (settings, why) => {
  expect(() => server(settings)).toThrow(why)
})

test.each<[string, unknown, unknown]>([
  ['nothing', undefined, { type: 'object', properties: {}, required: [] }],
  [
    'a reference',
    {
      type: 'object',
      properties: { p: { $ref: '#/$defs/P' } },
      required: ['p'],
      $defs: { P: { type: 'string' } },
    },
    { type: 'object', properties: { p: { type: 'string' } }, required: ['p'] },
  ],
  [
    'a union at the top',
    {
      oneOf: [
        { properties: { kind: { const: 'a' }, x: { type: 'string' } }, required: ['kind', 'x'] },
        { properties: { kind: { const: 'b' }, y: { type: 'integer' } }, required: ['kind', 'y'] },
      ],
    },
    {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['a', 'b'] },
        x: { type: 'string' },
        y: { type: 'integer' },
      },
      required: ['kind'],
    },
  ],
  [
    'an intersection at the top',
    {
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    },
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] },
  ],
  [
    'types that cannot be used; odd names are renamed where a request is sent',
    { type: 'object', properties: { 'a b': {}, ok: { type: 'colour' } }, required: ['a b', 'ok'] },
    { type: 'object', properties: { 'a b': {}, ok: {} }, required: ['a b', 'ok'] },
  ],
  [
    'arrays without items, draft 4, choices against their type, at every depth',
    {
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'array' }, { type: 'object', additionalProperties: { type: 'array' } }] },
        n: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
        e: { type: 'null', enum: ['A'] },
        l: { type: 'object', properties: [] },
      },
    },
    {
      type: 'object',
      properties: {
        a: {
          anyOf: [
            { type: 'array', items: {} },
            { type: 'object', additionalProperties: { type: 'array', items: {} } },
          ],
        },
        n: { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
        e: { type: 'string', enum: ['A'] },
        l: { type: 'object', properties: {}, required: [] },
      },
      required: [],
    },
  ],
  [
    'a union further down',
    { type: 'object', properties: { u: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
    { type: 'object', properties: { u: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, required: [] },
  ],
])('schema: %s', (_, raw, flat) => {
  expect(flattenSchema(raw)).toEqual(flat)
})

test('stops at a recursive schema', () => {
  const node = { type: 'object', properties: { a: { $ref: '#/$defs/N' }, b: { $ref: '#/$defs/N' } } }
  const flat = JSON.stringify(flattenSchema({ $ref: '#/$defs/N', $defs: { N: node } }))
  expect(flat.length).toBeLessThan(100_000)
  expect(flat).not.toContain('$ref')
})

test('results contain text for the model, data for programs, and images separately', async () => {
  const call = { server: 'srv', tool: 'look', signal: new AbortController().signal }
  const answer = {
    content: [
      { type: 'text', text: 'see' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'note://one', name: 'One' },
      { type: 'resource', resource: { uri: 'note://two', text: 'second' } },
      { type: 'resource', resource: { uri: 'data://x', blob: 'AP8A/wD/' } },
    ],
  } as Parameters<typeof resultOf>[1]
  const { text, data, media } = await resultOf(call, answer)
  expect(text.split('\n')).toEqual([
    'see',
    '[image image/png, 8 bytes]',
    '[audio audio/wav, 3 bytes]',
    '[resource @srv:note://one One]',
    '[resource note://two]',
    'second',
    '[resource data://x]',
    '[not read: 6 bytes of another format]',
  ])
  expect(media).toHaveLength(1)
  expect(JSON.stringify(data)).not.toMatch(/iVBOR|AP8A/)
  expect((await resultOf(call, { content: [], structuredContent: { n: 1 } })).text).toContain('"n": 1')
  const failed = await resultOf(call, { content: [{ type: 'text', text: 'no' }], isError: true })
  expect(failed.failed?.code).toBe('command_failed')
  expect(failed.text).toContain('no')
})

/** Returns a graph of definitions that refer to each other, as generated clients have them. */
function graphOf(count: number, width: number): Record<string, unknown> {
  const definitions = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `D${i}`,
      {
        type: 'object',
        description: `Definition ${i} of a directory with folders and contacts.`,
        properties: Object.fromEntries(
          Array.from({ length: width }, (_, k) => {
            const to = { $ref: `#/$defs/D${(i * width + k) % count}` }
            return [`to${k}`, k % 2 === 0 ? to : { type: 'array', items: to }]
          }),
        ),
      },
    ]),
  )
  return { type: 'object', properties: { root: { $ref: '#/$defs/D0' } }, $defs: definitions }
}

test.each([1, 2, 5, 12, 40].flatMap((count) => [1, 2, 4].map((width) => [count, width] as const)))(
  '%i definitions with %i references each grow at most twice',
  (count, width) => {
    const raw = graphOf(count, width)
    const flat = JSON.stringify(flattenSchema(raw))
    expect(flat.length).toBeLessThanOrEqual(2 * JSON.stringify(raw).length)
    expect(flat).not.toContain('$ref')
    expect(flat).toContain('"to0"')
  },
)

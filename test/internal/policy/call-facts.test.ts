// Facts that are resolved before a decision, and the modules that this does not load.
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveFacts } from '../../../internal/policy/call-facts.ts'
import { bash, file, folder, policyOf, remove } from './policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder('src')
})
afterAll(() => remove(ws))

test('resolves the facts of a file, a host and a command', async () => {
  const call = {
    tool: 'x',
    level: 'confirm_execute',
    args: {},
    scope: [
      { kind: 'path', path: 'src/a', access: 'write' },
      { kind: 'host', host: 'x.org' },
      { kind: 'command', line: 'npm test > out', cwd: 'src' },
    ],
  } as const
  const facts = await resolveFacts(call, policyOf(ws), ws)
  expect(facts.places.map(({ place, access }) => [place.shown, access])).toEqual([
    ['src/a', 'write'],
    ['src', 'read'],
  ])
  expect(facts.hosts).toEqual(['x.org'])
  expect(facts.commands[0]).toMatchObject({ line: 'npm test > out', opaque: undefined, blind: false })
  expect(facts.commands[0]?.writes[0]?.shown).toBe('src/out')
  expect(facts.commands[0]?.parts[0]).toMatchObject({ words: ['npm', 'test'], class: 'building' })
  expect(facts.faults).toEqual([])
})

test('reports facts that cannot be resolved as a fault, never as an exception', async () => {
  const bad = await resolveFacts(file('read', 'auto_read', 'a\0'), policyOf(ws), ws)
  expect(bad.faults).toMatchObject([{ code: 'bad_args' }])
  const line = await resolveFacts(bash("echo x > $'a\\x41' \""), policyOf(ws), ws)
  expect(line.commands[0]?.opaque).toBe('a syntax that the grammar does not know')
})

test('a decision on a path loads neither the globs nor the schema nor the grammar', async () => {
  const result = await build({
    entryPoints: ['internal/policy/call-facts.ts', 'internal/policy/decide.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.md': 'text' },
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  const { inputs } = result.metafile
  const seen = new Set<string>()
  const todo = ['internal/policy/call-facts.ts', 'internal/policy/decide.ts']
  for (let path = todo.pop(); path; path = todo.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const one of inputs[path]?.imports ?? []) if (one.kind !== 'dynamic-import') todo.push(one.path)
  }
  expect([...seen].filter((path) => !path.startsWith('internal/') && !path.startsWith('node:'))).toEqual([])
  expect([...seen].filter((path) => path.includes('/shell/') || path.endsWith('line.ts'))).toEqual([])
})

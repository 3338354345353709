// Directories of toolbox programs: found, asked once, cached, never a reason to fail. Real scripts.
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadToolbox } from '../../../internal/toolbox/toolbox.ts'
import { run } from '../../support/run.ts'
import { scratch } from '../../support/scratch.ts'

/** A script that notes each time it is asked. */
const describing = (described: string, rest = '') =>
  `#!/bin/sh\necho $TOOLBOX_ACTION >> "$0.asked.txt"\n${rest}\ncat <<'END'\n${described}\nEND\n`

const good = (name: string, description = 'Does it') => describing(JSON.stringify({ name, description }))

function boxWith(files: Readonly<Record<string, string>>) {
  const home = scratch()
  const dir = join(home, 'box')
  mkdirSync(dir)
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(dir, name), text)
    chmodSync(join(dir, name), 0o755)
  }
  const options = { dirs: [dir], run, cacheDir: join(home, 'cache'), timeoutMs: 5000 }
  const asked = (name: string) => {
    const file = join(dir, `${name}.asked.txt`)
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0
  }
  return { dir, options, asked }
}

test('makes a tool of each program, by file name, and skips other files', async () => {
  const node = `#!/usr/bin/env node
console.log(JSON.stringify({ name: 'from-node', description: 'A\\n\\nB', permission: 'auto_read',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } }))
`
  const { dir, options } = boxWith({ b: good('beta'), a: node, '.hidden': good('hidden') })
  writeFileSync(join(dir, 'README.md'), 'text')
  mkdirSync(join(dir, 'folder'))
  const { tools, diagnostics } = await loadToolbox(options)
  expect(diagnostics).toEqual([])
  expect(tools.map(({ name, level, about }) => [name, level, about])).toEqual([
    ['tb__from-node', 'auto_read', 'A\n\nB'],
    ['tb__beta', 'confirm_execute', 'Does it'],
  ])
})

test('asks a program for its description once, and again after a change', async () => {
  const { dir, options, asked } = boxWith({ a: good('alpha') })
  await loadToolbox(options)
  const again = await loadToolbox(options)
  expect(again.tools.map((tool) => tool.name)).toEqual(['tb__alpha'])
  expect(asked('a')).toBe(1)
  writeFileSync(join(dir, 'a'), good('omega'))
  utimesSync(join(dir, 'a'), 1, 1)
  expect((await loadToolbox(options)).tools.map((tool) => tool.name)).toEqual(['tb__omega'])
  expect(asked('a')).toBe(2)
})

test.each(['', '{', '[]', '{"version":1,"programs":7}', '{"version":1,"programs":{"x":null}}'])(
  'replaces a cache that contains %j',
  async (text) => {
    const { options, asked } = boxWith({ a: good('alpha') })
    mkdirSync(options.cacheDir)
    writeFileSync(join(options.cacheDir, 'toolbox.json'), text)
    for (let i = 0; i < 2; i++) expect((await loadToolbox(options)).tools).toHaveLength(1)
    expect(asked('a')).toBe(1)
  },
)

test('reports a cache that cannot be written, and loads the tools anyway', async () => {
  const { options } = boxWith({ a: good('alpha') })
  writeFileSync(options.cacheDir, 'a file in its place')
  const { tools, diagnostics } = await loadToolbox(options)
  expect(tools).toHaveLength(1)
  expect(diagnostics).toEqual([expect.stringContaining('cannot be kept')])
})

const bad: readonly [string, string, RegExp][] = [
  ['hangs', '#!/bin/sh\nexec sleep 60\n', /within 300 ms/],
  ['fails', '#!/bin/sh\necho "no python here" >&2\nexit 7\n', /exit code 7.*no python here/],
  ['is killed', '#!/bin/sh\nkill -9 $$\n', /SIGKILL/],
  ['prints no JSON', '#!/bin/sh\necho hello\n', /not JSON/],
  ['prints nothing', '#!/bin/sh\n', /not JSON/],
  ['prints a list', describing('[]'), /JSON object/],
  ['prints too much', '#!/bin/sh\nhead -c 600000 /dev/zero\n', /256 KiB/],
  ['has no name', describing('{"description":"x"}'), /unusable name/],
  ['has a bad name', describing('{"name":"../","description":"x"}'), /unusable name/],
  ['has a long name', good('x'.repeat(61)), /unusable name/],
  ['has no description', describing('{"name":"x"}'), /no description/],
  ['asks for an unknown level', describing('{"name":"x","description":"x","permission":"root"}'), /"root"/],
  ['has a bad limit', describing('{"name":"x","description":"x","timeout_seconds":"1"}'), /timeout_seconds/],
  ['has bad arguments', describing('{"name":"x","description":"x","args":{"a":"colour"}}'), /colour/],
  ['needs what is not there', '#!/no/such/interpreter\n', /./],
  ['is no program', 'neither script nor binary', /./],
]

test.each(bad)('reports a program that %s, and loads the others', async (_, text, why) => {
  const { dir, options } = boxWith({ bad: text, good: good('fine') })
  const hangs = text.includes('sleep 60')
  const { tools, diagnostics } = await loadToolbox({ ...options, ...(hangs && { timeoutMs: 300 }) })
  if (!hangs) expect(tools.map((tool) => tool.name)).toEqual(['tb__fine'])
  const ours = diagnostics.filter((line) => line.startsWith(`${join(dir, 'bad')}: `))
  expect(ours).toEqual([expect.stringMatching(why)])
})

test('of two tools with the same name the tool of the earlier directory is loaded', async () => {
  const one = boxWith({ a: good('same', 'first') })
  const two = boxWith({ b: good('same', 'second') })
  const { tools, diagnostics } = await loadToolbox({ ...one.options, dirs: [one.dir, two.dir, one.dir] })
  expect(tools.map((tool) => tool.about)).toEqual(['first'])
  const first = join(one.dir, 'a')
  expect(diagnostics).toEqual([
    `${join(two.dir, 'b')}: left out, because ${first} is tb__same already; rename one of them`,
  ])
})

test('reports names that become equal after cleaning', async () => {
  const { dir, options } = boxWith({ a: good('Deploy It!'), b: good('deploy it'), c: good('DEPLOY-IT') })
  const { tools, diagnostics } = await loadToolbox(options)
  expect(tools.map(({ name }) => name)).toEqual(['tb__deploy_it', 'tb__deploy-it'])
  expect(diagnostics).toMatchObject([expect.stringContaining(`${join(dir, 'a')} is tb__deploy_it already`)])
})

test('reports a missing directory', async () => {
  const { options, dir } = boxWith({ a: good('alpha') })
  const { tools, diagnostics } = await loadToolbox({ ...options, dirs: [join(dir, 'none'), dir] })
  expect(tools).toHaveLength(1)
  expect(diagnostics).toEqual([expect.stringMatching(/none: .*ENOENT/)])
})

test('keeps the order of programs if there are more than it starts at once', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `t${String(i).padStart(2, '0')}`)
  const { options } = boxWith(Object.fromEntries(names.map((name) => [name, good(name)])))
  const { tools } = await loadToolbox(options)
  expect(tools.map((tool) => tool.name)).toEqual(names.map((name) => `tb__${name}`))
})

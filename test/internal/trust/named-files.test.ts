// Scripts that commands of a workspace name: they are part of the trusted contents, and a change
// needs new trust.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findNamedFiles } from '../../../internal/trust/named-files.ts'
import { grantTrust, readTrustState } from '../../../internal/trust/trust.ts'
import { scratch } from '../../support/scratch.ts'

/** A command, and the file that it runs. */
const lines: readonly (readonly [string, string])[] = [
  ['node x.js', 'x.js'],
  ['node x', 'x.js'],
  ['node ./lib', 'lib/index.js'],
  ['sh ./scripts/x.sh --quiet', 'scripts/x.sh'],
  ['cd sub && FOO=1 ./sub/run', 'sub/run'],
  ['python -m tools.check', 'tools/check.py'],
  ['python3 -m tools', 'tools/__main__.py'],
  ['bash -c "source env.sh; true"', 'env.sh'],
  ['cat rules.txt | sh', 'rules.txt'],
  ['sh <feed', 'feed'],
  ['node --require=./pre.cjs -e 1', 'pre.cjs'],
  ['env A=b deep/er/run.py', 'deep/er/run.py'],
  ['npm run lint', 'package.json'],
  ['make -s check', 'Makefile'],
  ['$PWD/run.sh', 'run.sh'],
]

/** Files that contain commands. */
const places: readonly (readonly [string, (line: string) => object])[] = [
  ['.anode/hooks.json', (command) => ({ PreToolUse: [{ command }] })],
  ['.mcp.json', (line) => ({ mcpServers: { a: { command: 'env', args: line.split(' ') } } })],
  [
    'anode.json',
    (line) => ({ mcpServers: { a: { command: line.split(' ')[0], args: line.split(' ').slice(1) } } }),
  ],
  ['.lsp.json', (line) => ({ a: { command: 'sh', args: ['-c', line] } })],
]

function put(root: string, path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

describe.each(places)('a command in %s', (path, configure) => {
  test.each(lines)('%s: its program is part of the trusted contents', async (line, script) => {
    const [root, data] = [scratch(), scratch()]
    put(root, script, 'one')
    put(root, 'other.txt', 'one')
    put(root, path, JSON.stringify(configure(line)))
    expect((await grantTrust(root, data)).files).toContain(script)
    put(root, 'other.txt', 'two')
    expect(readTrustState(root, data).state).toBe('trusted')
    put(root, script, 'two')
    expect(readTrustState(root, data)).toMatchObject({ state: 'changed', differs: [script] })
  })
})

test('ignores rules, texts and outside files, which are not commands of this workspace', () => {
  const root = scratch()
  put(root, 'src/a.ts', '')
  put(scratch(), 'x.sh', '')
  const rules = JSON.stringify({ permissions: [{ tool: 'read', action: 'deny', path: 'src/a.ts' }] })
  expect(findNamedFiles(root, 'anode.json', rules)).toEqual([])
  expect(findNamedFiles(root, '.mcp.json', '{"a": "/bin/sh ../../etc/passwd \\u0000"}')).toEqual([])
  expect(findNamedFiles(root, '.anode/hooks.json', '// damaged\n{ "x": src/a.ts')).toEqual(['src/a.ts'])
})

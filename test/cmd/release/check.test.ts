// The release check: each problem stops a release, and a prepared package has none.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from '../../support/sources.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-release-'))
  mkdirSync(join(dir, 'cmd'))
  cpSync(join(root, 'cmd/release'), join(dir, 'cmd/release'), { recursive: true })
  for (const file of ['package.json', 'README.md']) cpSync(join(root, file), join(dir, file))
  writeFileSync(join(dir, 'CHANGELOG.md'), '# Changelog\n\n## 0.1.0 (2026-12-01)\n\n## 0.0.9 (unreleased)\n')
  execFileSync('git', ['init', '-q'], { cwd: dir })
  execFileSync('git', ['add', '-A'], { cwd: dir })
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function release(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('node', ['cmd/release/main.mjs', ...words], {
    cwd: dir,
    encoding: 'utf8',
  })
  return { status, out: `${stdout}${stderr}` }
}
function setManifest(change: Record<string, unknown>) {
  const file = join(dir, 'package.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }))
}

test('fails on the placeholder, and passes once the address is set in all files', () => {
  expect(release('check')).toMatchObject({ status: 1, out: expect.stringContaining('OWNER/anode') })
  expect(release('address', 'me')).toMatchObject({ status: 1, out: expect.stringContaining('OWNER/NAME') })
  expect(release('address', 'me/tool')).toMatchObject({
    status: 0,
    out: expect.stringContaining('package.json'),
  })
  expect(release('check', 'v0.1.0')).toEqual({ status: 0, out: '' })
  expect(release('address', 'you/tool').status).toBe(0)
  expect(readFileSync(join(dir, 'package.json'), 'utf8')).not.toMatch(/OWNER|me\/tool/)
})

test.each([
  [{ version: '0.2.0' }, 'v0.1.0', 'the tag v0.1.0 differs from the version 0.2.0'],
  [{ version: '0.3.0' }, 'v0.3.0', 'CHANGELOG.md has no section for 0.3.0'],
  [{ version: '0.0.9' }, 'v0.0.9', 'CHANGELOG.md: 0.0.9 is "unreleased", not a date'],
  [
    { homepage: 'https://example.org' },
    'v0.1.0',
    'homepage differs from repository.url: https://example.org',
  ],
  [{ bugs: undefined }, 'v0.1.0', 'bugs differs from repository.url: undefined'],
])('reports %o', (change, tag, problem) => {
  release('address', 'me/tool')
  setManifest(change)
  const { status, out } = release('check', tag)
  expect([status, out.split('\n')]).toEqual([1, expect.arrayContaining([problem])])
})

test('package.json has what the registry shows', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    name: 'anode-cli',
    bin: { anode: 'dist/anode.cjs' },
    publishConfig: { access: 'public', provenance: true },
    keywords: expect.arrayContaining(['cli', 'agent']),
  })
})

// incident/scripts/changes-around.sh lists what changed between two times, and of which kind.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { git, runScript, scratch } from '../support/script.ts'

const run = (cwd: string, ...args: string[]) => runScript('incident/scripts/changes-around.sh', args, cwd)

function repository(...files: string[]) {
  const dir = scratch()
  git(dir, 'init', '-q', '-b', 'main')
  for (const file of files) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), file)
    git(dir, 'add', '.')
    git(dir, 'commit', '-qm', `Change ${file}`)
  }
  return dir
}

test('commits of the time with their kinds, and tags', () => {
  const dir = repository('db/migrations/1.sql', 'package.json', 'deploy/app.yaml', 'src/a.ts')
  git(dir, 'tag', 'v1')
  const { code, out } = run(dir, '2026-03-01 14:00', '2026-03-01 15:00')
  expect(code).toBe(0)
  expect(out).toMatch(/2026-03-01 14:30 {2}[0-9a-f]+ {2}A {2}Change db\/migrations\/1\.sql {2}\[migration\]/)
  expect(out).toMatch(/Change package\.json {2}\[dependencies\]/)
  expect(out).toMatch(
    /Change deploy\/app\.yaml {2}\[(configuration, infrastructure|infrastructure, configuration)\]/,
  )
  expect(out).toMatch(/Change src\/a\.ts\n/)
  expect(out).toContain('4 commits')
  expect(out).toMatch(/2026-03-01 14:30 {2}v1 /)
})

test('outside of the time: none, with the last one before it', () => {
  const { out } = run(repository('src/a.ts'), '2026-03-01 15:00', '2026-03-01 16:00')
  expect(out).toContain('0 commits')
  expect(out).toMatch(/before the start\n2026-03-01 14:30 {2}[0-9a-f]+ {2}Change src\/a\.ts/)
})

test('only given paths', () => {
  const { out } = run(repository('src/a.ts', 'lib/b.ts'), '2026-03-01 14:00', '2026-03-01 15:00', 'lib')
  expect(out).toContain('1 commits')
  expect(out).not.toContain('src/a.ts')
})

test('wrong use and no repository', () => {
  expect(run(scratch()).code).toBe(2)
  expect(run(scratch(), '2026-03-01 14:00', '2026-03-01 15:00').code).toBe(2)
})

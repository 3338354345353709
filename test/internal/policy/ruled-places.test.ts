// Closed files below directories: the quick walk finds what comparing every path with every rule finds.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type DiskView, viewDisk } from '../../../internal/policy/paths/disk-view.ts'
import { type ResolvedPath, resolvePath } from '../../../internal/policy/paths/path-jail.ts'
import { listedPlace } from '../../../internal/policy/paths/sensitive-contents.ts'
import type { PathRoots } from '../../../internal/policy/policy.ts'
import { findClosedFiles } from '../../../internal/policy/ruled-places.ts'
import { fileRuleFits } from '../../../internal/policy/rules/file-rules.ts'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'
import { costRatio } from '../../support/cost.ts'
import { choice, rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { plant } from '../../support/scratch.ts'
import { folder, remove, rootsOf } from './policies.ts'

const names = ['a', 'B', 'src', '.env', 'key.pem', '.ssh', 'x.env', 'conf']
let ws = ''

beforeAll(async () => {
  ws = folder('outside/.ssh/deep', 'work')
  const random = rng(71)
  const name = () => choice(random, names)
  const files: Record<string, string> = {}
  for (let i = 0; i < 150; i++) {
    const parts = Array.from({ length: 1 + Math.floor(random() * 5) }, name)
    files[[...parts, `f${i % 9}`].join('/')] = ''
  }
  plant(join(ws, 'work'), files)
  plant(join(ws, 'outside'), { '.ssh/deep/id': '', 'key.pem': '' })
  mkdirSync(join(ws, 'work/links'))
  for (const [link, target] of [
    ['out', '../../outside'],
    ['deep', '../../outside/.ssh/deep'],
    ['key', '../../outside/key.pem'],
    ['loop', 'loop'],
    ['up', '..'],
  ] as const)
    symlinkSync(target, join(ws, 'work/links', link))
})
afterAll(() => remove(ws))

const someRules = (random: () => number): PermissionRule[] => {
  const name = () => choice(random, names)
  const pattern = () =>
    choice(random, [
      () => `**/${name()}{,/**}`,
      () => `${name()}/*/${name()}`,
      () => `${ws}/work/${name()}/**`,
      () => `${ws}/work/${name()}`,
      () => `**/${name()}/**/f${Math.floor(random() * 9)}`,
      () => `./${name()}/${name()}/`,
      () => `*.${choice(random, ['env', 'pem'])}`,
      () => `~/${name()}`,
      () => '**/deep',
      // a wildcard after the beginning of the first name
      () => `${name().slice(0, -1)}*/${name()}{,/**}`,
      () => `${name().slice(0, -1)}?/**`,
      () => `./${name().slice(0, 2)}*`,
      () => `{${name()},${name()}}/**/f${Math.floor(random() * 9)}`,
    ])()
  return Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
    tool: 'read',
    action: choice(random, ['deny', 'ask'] as const),
    path: pattern(),
    origin: 'test',
    ...(random() < 0.1 && { args: { path: `*${name()}*` } }),
  }))
}

/** Returns every entry below a directory, the nearest directories first, with links followed. */
function walkAll(start: ResolvedPath, roots: PathRoots): ResolvedPath[] {
  const disk = viewDisk()
  const all: ResolvedPath[] = []
  const seen = new Set<string>()
  const todo = [start]
  for (const dir of todo) {
    if (seen.has(dir.real)) continue
    seen.add(dir.real)
    for (const entry of disk.list(dir.real) ?? []) {
      const [real, named] = [join(dir.real, entry.name), join(dir.named, entry.name)]
      const at = entry.isSymbolicLink() ? resolveLink(real, roots, disk) : listedPlace(real, roots)
      if (!at) continue
      const given = entry.isSymbolicLink() ? at.given : named
      all.push({ ...at, given, named })
      if (entry.isDirectory() || entry.isSymbolicLink()) todo.push({ ...at, named })
    }
  }
  return all
}

function resolveLink(path: string, roots: PathRoots, disk: DiskView): ResolvedPath | undefined {
  try {
    return resolvePath('/', roots, path, disk)
  } catch {
    return undefined
  }
}

test('closes the same first path for every rule as a comparison of whole paths', () => {
  const random = rng(72)
  const disk = viewDisk()
  const roots = rootsOf(join(ws, 'work'))
  const starts = ['.', 'a', 'src', 'links', '..'].map((path) => {
    const start = resolvePath(roots.workspace, roots, path, disk)
    return { start, all: walkAll(start, roots) }
  })
  let closing = 0
  for (let i = 0; i < rounds(400, 5_000); i++) {
    const { start, all } = choice(random, starts)
    for (const rule of someRules(random)) {
      const search = { roots, disk, rules: [rule], budget: { ruled: 100_000 } }
      const { places, cut } = findClosedFiles([start], search)
      const wanted = all.find((place) => fileRuleFits(rule, place, roots))
      expect([places[0]?.named, cut], JSON.stringify([start.named, rule])).toEqual([wanted?.named, false])
      if (wanted) closing++
    }
  }
  expect(closing).toBeGreaterThan(200)
})

test('an entry in a deep tree costs no more than in a flat one', () => {
  const rules = ['.env*', '*.pem', '.npmrc', 'id_*', '.netrc', '.ssh', '.aws', 'secrets'].map(
    (name): PermissionRule => ({ tool: '*', action: 'deny', path: `**/${name}{,/**}`, origin: 'test' }),
  )
  const searchAt = (depth: number) => {
    const below = `${'d/'.repeat(depth)}`
    const dir = folder(`${below}x`)
    plant(dir, Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`${below}f${i}`, ''])))
    const roots = rootsOf(dir)
    const disk = viewDisk()
    onTestFinished(() => remove(dir))
    return () => {
      const place = resolvePath(dir, roots, '.', disk)
      expect(findClosedFiles([place], { roots, disk, rules, budget: { ruled: 100_000 } }).places).toEqual([])
    }
  }
  expect(costRatio(4, searchAt(1), searchAt(24))).toBeLessThan(4)
})

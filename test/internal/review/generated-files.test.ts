// Which changed files count as generated, by path and by the length of their lines.
import { expect, test } from 'vitest'
import { coveringPaths, generatedKind, isMinifiedDiff } from '../../../internal/review/generated-files.ts'

const lockfiles = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'Cargo.lock',
  'go.sum',
  'go.work.sum',
  'Gemfile.lock',
  'gems.locked',
  'poetry.lock',
  'Pipfile.lock',
  'pdm.lock',
  'uv.lock',
  'pixi.lock',
  'conda-lock.yml',
  'composer.lock',
  'mix.lock',
  'rebar.lock',
  'pubspec.lock',
  'Podfile.lock',
  'Cartfile.resolved',
  'Package.resolved',
  'flake.lock',
  'packages.lock.json',
  'paket.lock',
  'project.assets.json',
  'gradle.lockfile',
  'buildscript-gradle.lockfile',
  'MODULE.bazel.lock',
  '.terraform.lock.hcl',
  'Chart.lock',
  'stack.yaml.lock',
  'cabal.project.freeze',
  'shard.lock',
  'symfony.lock',
  'renv.lock',
  'pylock.toml'.replace('py', 'py-'),
] // prettier-ignore
const snapshots = [
  '__snapshots__/a.ts.snap',
  'a.snap',
  'tests/__snapshots__/test_a.ambr',
  'x/__image_snapshots__/a.png',
  'a.snap.new',
] // prettier-ignore
const minified = [
  'app.min.js',
  'app-min.js',
  'site.min.css',
  'app.min.mjs',
  'app.js.map',
  'site.css.map',
  'index.min.html',
] // prettier-ignore
const vendored = [
  'vendor/x/a.go',
  'third_party/z/a.c',
  'node_modules/a/index.js',
  'ios/Pods/A/a.m',
  '.yarn/releases/yarn-4.cjs',
  'Godeps/a.go',
  'third-party/a.c',
  'bower_components/a.js',
] // prettier-ignore
const written = [
  'src/lock.ts',
  'src/file-lock.ts',
  'lockfile.ts',
  'snapshot.ts',
  'src/snapshots.md',
  'vendor.ts',
  'src/vendor-list.ts',
  'clock.json',
  'min.js',
  'admin.js',
  'src/admin.css',
  'map.js',
  'go.mod',
  'Cargo.toml',
  'package.json',
  'block.yaml',
  'docs/lockfiles.md',
  'src/pods/a.ts',
  '.yarn/notes.md',
  'sums.go',
  'unlock.json',
  'src/lock/index.ts',
  'README.md',
  'Makefile',
] // prettier-ignore

const kinds = { lockfile: lockfiles, snapshot: snapshots, minified, vendored, undefined: written }
const rows = Object.entries(kinds).flatMap(([kind, paths]) =>
  paths.flatMap((path) => ['', 'a/', 'packages/web app/'].map((prefix) => [prefix + path, kind] as const)),
)

test.each(rows)('%s is %s', (path, kind) => {
  expect(String(generatedKind(path))).toBe(kind)
})

test('thousands of vendored files are covered by one path for each directory', () => {
  const files = Array.from({ length: 5_000 }, (_, i) => `go/vendor/p${i % 50}/f${i}.go`)
  expect(coveringPaths([...files, 'go.sum', 'b/vendor/x.go'])).toEqual(['go/vendor', 'go.sum', 'b/vendor'])
})

test('a changed line of over 5,000 characters makes a diff minified; a context line does not', () => {
  const long = 'x'.repeat(5_001)
  expect(isMinifiedDiff(`diff --git a/a b/a\n@@ -1 +1 @@\n+${long}\n`)).toBe(true)
  expect(isMinifiedDiff(`diff --git a/a b/a\n@@ -1 +1 @@\n-${long}\n`)).toBe(true)
  expect(isMinifiedDiff(`diff --git a/a b/a\n@@ -1,2 +1,2 @@\n ${long}\n+b\n`)).toBe(false)
  expect(isMinifiedDiff(`diff --git a/a b/a\n@@ -1 +1 @@\n+${'x'.repeat(4_999)}\n`)).toBe(false)
})

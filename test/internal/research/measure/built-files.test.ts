// Stored builds: a checkout restored from one equals a built one, and the oldest make room.
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openComparisons } from '../../../../internal/research/compare/comparisons.ts'
import { openBuiltFiles, toolVersions } from '../../../../internal/research/measure/built-files.ts'
import { takeStrictFootprint } from '../../../../internal/research/workspace/folder-footprint.ts'
import { env, lab } from '../../../support/research.ts'
import { run } from '../../../support/run.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const sources = { 'main.c': 'int main;\n', 'old.txt': 'old\n', 'sub/a.txt': 'a\n' }

/** Everything of a directory but its times. */
function contentOf(dir: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [path, sign] of takeStrictFootprint(dir).signs) {
    const stat = lstatSync(join(dir, path))
    const mode = (stat.mode & 0o777).toString(8)
    if (sign.startsWith('d')) found[path] = 'directory'
    else if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(dir, path))}`
    else found[path] = `${mode} ${readFileSync(join(dir, path), 'utf8')}`
  }
  return found
}

const build = (dir: string, script: string) => execFileSync('bash', ['-ec', script], { cwd: dir })

/** Builds in a new checkout, or restores. Returns the checkout and whether it was restored. */
async function make(parent: string, parts: unknown, script: string, limit?: number) {
  const dir = scratchWith(sources)
  const { signs } = takeStrictFootprint(dir)
  const files = openBuiltFiles(parent, parts, limit)
  const restored = await files.restore(dir)
  if (!restored) {
    build(dir, script)
    await files.store(dir, signs)
  }
  return { dir, restored }
}

describe('a restored checkout equals a built one', () => {
  it.each([
    ['new files and directories', 'mkdir -p out/deep empty; echo 1 >out/deep/x; chmod 755 out/deep/x'],
    ['a changed file', 'echo more >>main.c'],
    ['a removed file and directory', 'rm -r old.txt sub'],
    ['a file in place of a directory', 'rm -r sub; echo file >sub'],
    ['links', 'ln -s main.c link; ln -s nowhere broken'],
    ['nothing', 'true'],
  ])('%s', async (_, script) => {
    const parent = join(scratch(), 'builds')
    const first = await make(parent, script, script)
    const second = await make(parent, script, 'exit 1')
    expect([first.restored, second.restored]).toEqual([false, true])
    expect(contentOf(second.dir)).toEqual(contentOf(first.dir))
  })
})

it('sets times later than the sources, in the order of the build', async () => {
  const parent = join(scratch(), 'builds')
  const script = 'echo 1 >first; touch -d "2001-01-01" first; echo 2 >second; touch -d "2002-01-01" second'
  await make(parent, 1, script)
  const { dir } = await make(parent, 1, 'exit 1')
  const time = (name: string) => lstatSync(join(dir, name), { bigint: true }).mtimeNs
  expect(time('first') < time('second')).toBe(true)
  expect(Number(time('first')) / 1e6).toBeGreaterThanOrEqual(lstatSync(join(dir, 'main.c')).mtimeMs - 1)
})

it('removes the builds that were used least recently, and stores none that is too large', async () => {
  const parent = join(scratch(), 'builds')
  const bytes = (count: number) => `head -c ${count} /dev/zero >out`
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    await make(parent, name, bytes(400), 1_000)
    for (const folder of readdirSync(parent)) {
      const file = join(parent, folder, 'manifest.json')
      if (lstatSync(file).mtimeMs > Date.now() - 60_000) utimesSync(file, 1_000 + i, 1_000 + i)
    }
  }
  const isStored = async (name: string) => openBuiltFiles(parent, name).restore(scratchWith(sources))
  expect([await isStored('a'), await isStored('b'), await isStored('c')]).toEqual([false, true, true])
  await make(parent, 'large', bytes(2_000), 1_000)
  expect(await isStored('large')).toBe(false)
  expect(readdirSync(parent)).toHaveLength(2)
})

it('identifies the programs of a command by what is in PATH', async () => {
  const dir = scratchWith({ 'bin/tool': '1', 'other/tool': '22' })
  const of = (path: string) => toolVersions('tool --flag && missing', path)
  expect(await of(join(dir, 'bin'))).not.toEqual(await of(join(dir, 'other')))
  expect(await of(`${join(dir, 'bin')}:${join(dir, 'other')}`)).toEqual(await of(join(dir, 'bin')))
  expect(await of(join(dir, 'none'))).toEqual([])
})

it('saves the second build of a comparison, and builds again for another line', {
  timeout: 120_000,
}, async () => {
  const at = lab({
    'speed.txt': '100\n',
    '.gitignore': 'out.txt\n',
    'bench.sh': 'echo "METRIC ms=$(cat out.txt)"\n',
  })
  at.put('speed.txt', '110\n')
  const compare = async (line: string) => {
    const options = { cwd: at.dir, data: at.data, env, run, signal: new AbortController().signal }
    const order = { command: 'bash bench.sh', metrics: [{ name: 'ms', direction: 'lower' as const }] }
    const rest = {
      benchFrom: 'base' as const,
      minEffect: 0.01,
      margin: 0.02,
      budgetMs: 60_000,
      carry: [],
      env: [],
      seed: 1,
    }
    return (await openComparisons(options)).compare({ base: 'HEAD', build: line, ...order, ...rest })
  }
  const builds = () => {
    const [name = ''] = readdirSync(join(at.data, 'research'))
    const dir = join(at.data, 'research', name, '_compare', 'builds')
    return existsSync(dir) ? readdirSync(dir).length : 0
  }
  const line = 'cp speed.txt out.txt'
  const first = await compare(line)
  const isolated = first.isolation === 'wall' || first.isolation === 'namespaces'
  expect(builds()).toBe(isolated ? 2 : 0)
  const second = await compare(line)
  expect(
    [first, second].map(({ verdict, metrics }) => [verdict, metrics[0]?.base, metrics[0]?.head]),
  ).toEqual([
    ['loss', 100, 110],
    ['loss', 100, 110],
  ])
  expect(builds()).toBe(isolated ? 2 : 0)
  await compare(`${line} && true`)
  expect(builds()).toBe(isolated ? 4 : 0)
})

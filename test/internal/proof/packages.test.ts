// Installed packages of generated projects: each change of a package that a check loads is found, and no other.
import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { identifyLockfile, isPinned } from '../../../internal/proof/installed-packages.ts'
import { openPackageRecord } from '../../../internal/proof/package-record.ts'
import { findChangedPackages, mentionedNames, readPackages } from '../../../internal/proof/packages.ts'
import { choice, type Rng, rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { plant, scratch } from '../../support/scratch.ts'

let survived = 0
let tried = 0
afterAll(() => console.log(`changed packages that were not found: ${survived}/${tried}`))

interface Installed {
  name: string
  /** Where it is installed, relative to the project. */
  dir: string
  needs: string[]
}

/** Plants packages that need packages with a higher number. Some are installed inside of the one that needs them. */
function plantPackages(dir: string, random: Rng): Installed[] {
  const count = 3 + Math.floor(random() * 8)
  const all: Installed[] = []
  for (let i = 0; i < count; i++) {
    const name = i % 3 === 0 ? `@scope/p${i}` : `p${i}`
    const later = Array.from({ length: count - i - 1 }, (_, j) => i + 1 + j)
    const needs = later.filter(() => random() < 0.4).map((n) => (n % 3 === 0 ? `@scope/p${n}` : `p${n}`))
    all.push({ name, dir: `node_modules/${name}`, needs })
  }
  for (const { name, dir: at, needs } of all) {
    const dependencies = Object.fromEntries(needs.map((need) => [need, '1.0.0']))
    plant(dir, {
      [`${at}/package.json`]: JSON.stringify({ name, version: '1.0.0', dependencies }),
      [`${at}/index.js`]: `module.exports = '${name}'\n`,
      [`${at}/lib/part.js`]: '1\n',
    })
  }
  return all
}

function reachable(all: readonly Installed[], roots: readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    for (const need of all.find((one) => one.name === name)?.needs ?? []) add(need)
  }
  for (const name of roots) add(name)
  return found
}

/** Changes of one package. Each returns the path that has to be named. */
const changes: Record<string, (dir: string, one: Installed, all: readonly Installed[]) => string> = {
  'a changed file': (dir, one) => {
    writeFileSync(join(dir, one.dir, 'lib/part.js'), '2\n')
    return `${one.dir}/`
  },
  'a changed file with its old times and size': (dir, one) => {
    const file = join(dir, one.dir, 'lib/part.js')
    writeFileSync(file, '3\n')
    utimesSync(file, new Date(1e12), new Date(1e12))
    return `${one.dir}/`
  },
  'a new file': (dir, one) => {
    writeFileSync(join(dir, one.dir, 'index.json'), '{}')
    return `${one.dir}/`
  },
  'a deleted package': (dir, one) => {
    rmSync(join(dir, one.dir), { recursive: true })
    return `${one.dir}/`
  },
  'a file in front of the package': (dir, one) => {
    writeFileSync(join(dir, `${one.dir}.js`), '')
    return `${one.dir}.js`
  },
  'another package behind a link': (dir, one) => {
    const to = join(dir, 'other/node_modules', one.name)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(dir, one.dir), to, { recursive: true })
    writeFileSync(join(to, 'index.js'), '')
    rmSync(join(dir, one.dir), { recursive: true })
    symlinkSync(to, join(dir, one.dir))
    return `other/node_modules/${one.name}/`
  },
  'another package inside of one that needs it': (dir, one, all) => {
    const parent = all.find(({ needs }) => needs.includes(one.name))
    // a root is needed by the project alone
    const at = parent ? `${parent.dir}/node_modules/${one.name}` : one.dir
    if (parent) cpSync(join(dir, one.dir), join(dir, at), { recursive: true })
    writeFileSync(join(dir, at, 'index.js'), '')
    return `${at}/`
  },
}

/** Changes after which the same code is loaded. */
const harmless: Record<string, (dir: string, one: Installed, all: readonly Installed[]) => void> = {
  nothing: () => undefined,
  'an installation of the same packages': (dir) => {
    cpSync(join(dir, 'node_modules'), join(dir, 'copy'), { recursive: true })
    rmSync(join(dir, 'node_modules'), { recursive: true })
    cpSync(join(dir, 'copy'), join(dir, 'node_modules'), { recursive: true })
  },
  'a package that moves into the one that needs it': (dir, one, all) => {
    const parent = all.find(({ needs }) => needs.includes(one.name))
    if (parent)
      cpSync(join(dir, one.dir), join(dir, parent.dir, 'node_modules', one.name), { recursive: true })
  },
  'a new package': (dir) => plant(dir, { 'node_modules/new/package.json': '{"name":"new"}' }),
}

async function open(seed: number) {
  const random = rng(seed)
  const dir = scratch()
  const all = plantPackages(dir, random)
  const roots = all.filter(() => random() < 0.3).map(({ name }) => name)
  if (roots.length === 0) roots.push((all[0] as Installed).name)
  const devDependencies = Object.fromEntries(roots.map((name) => [name, '1.0.0']))
  plant(dir, {
    'package.json': JSON.stringify({ devDependencies }),
    'test/a.test.js': roots.map((name) => `require('${name}/lib/part.js')\n`).join(''),
  })
  const tree = { dir, paths: ['package.json', 'test/a.test.js'] }
  const names = await mentionedNames(tree, ['test/a.test.js'], [])
  expect(names.map(([, name]) => name).sort()).toEqual([...roots].sort())
  const data = scratch()
  const where = { programs: [], names }
  const look = async () => {
    const record = openPackageRecord(data, dir)
    const graph = await readPackages(dir, where, record.identify)
    await record.save()
    return { roots: where, graph }
  }
  const before = (await look()).graph
  return {
    random,
    dir,
    all,
    loaded: reachable(all, roots),
    find: async () => findChangedPackages(before, await look()),
  }
}

const seeds = Array.from({ length: rounds(6, 60) }, (_, i) => i)

it.each(Object.keys(changes))('%s is found if the check loads it', async (kind) => {
  for (const seed of seeds) {
    const { random, dir, all, loaded, find } = await open(seed)
    const one = choice(random, all)
    const named = changes[kind]?.(
      dir,
      one,
      all.filter(({ name }) => loaded.has(name)),
    )
    const found = await find()
    const isLoaded = loaded.has(one.name)
    if (isLoaded) tried++
    if (isLoaded && !found.includes(named ?? '')) survived++
    if (isLoaded) expect(found, `seed ${seed}`).toContain(named)
    else expect(found, `seed ${seed}`).toEqual([])
  }
})

it.each(Object.keys(harmless))('%s changes nothing', async (kind) => {
  for (const seed of seeds) {
    const { random, dir, all, find } = await open(seed)
    harmless[kind]?.(dir, choice(random, all), all)
    expect(await find(), `seed ${seed}`).toEqual([])
  }
})

it.each([
  ['pytest==8.0.0\n', true],
  ['# made by pip-compile\npytest==8.0.0  # via -r in.txt\npluggy===1.5\n', true],
  [
    'pytest[dev] == 8.0.0 ; python_version < "3.12"\n-r other.txt\n--index-url https://example.org\n-e .\n',
    true,
  ],
  ['pytest==8.0.0 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n', true],
  ['pytest==8.*\n', false],
  ['pytest==8.0.0\npluggy>=1\n', false],
  ['pytest\n', false],
  ['pytest==8.0.0, <9\n', false],
  ['-e git+https://example.org/p.git\npytest==8.0.0\n', false],
  ['pytest @ https://example.org/p.whl\n', false],
  ['# nothing\n-r other.txt\n', false],
])('the list of requirements %j decides which packages are installed: %s', async (text, expected) => {
  expect(isPinned(text)).toBe(expected)
  const dir = scratch()
  plant(dir, { 'requirements.txt': text })
  const identify = (...paths: string[]) => identifyLockfile({ dir, paths })
  expect((await identify('requirements.txt')) !== undefined).toBe(expected)
  // a lockfile of Python alone decides
  plant(dir, { 'uv.lock': 'version = 1\n' })
  expect(await identify('requirements.txt', 'uv.lock')).toBe(await identify('uv.lock'))
})

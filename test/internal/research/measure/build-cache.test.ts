// The build cache: builds find what the baseline compiled; nothing of a candidate reaches another build or the judge.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBuildCache } from '../../../../internal/research/measure/build-cache.ts'
import { lab, paired } from '../../../support/research.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

/** A candidate needs what the baseline has left, and leaves a mark that no other build may find. */
const build = `seen="$XDG_CACHE_HOME/seen"
speed=$(cat speed.txt)
[ "$GOCACHE" = "$XDG_CACHE_HOME/go-build" ] && [ -w "$XDG_CACHE_HOME" ] || exit 3
if [ "$speed" = 100 ]; then echo base >>"$seen"; else grep -q base "$seen" || exit 4; fi
marks=$(grep -c candidate "$seen")
echo "$marks" >marks.txt
[ "$speed" = 100 ] || echo candidate >>"$seen"
`
const measure = `[ ! -e /tmp/anode/cache ] && [ -z "\${GOCACHE-}" ] || exit 5
echo "METRIC ms=$(cat speed.txt)"
echo "METRIC marks=$(cat marks.txt)"
`
const files = {
  'speed.txt': '100\n',
  '.auto/measure.sh': measure,
  'build.sh': build,
  '.gitignore': 'marks.txt\n',
}
const settings = { ...paired, scope: ['speed.txt'], build: 'bash build.sh' }
const caches = (data: string) => {
  const [repository = ''] = readdirSync(join(data, 'research'))
  const dir = join(data, 'research', repository, 'try', 'build-cache')
  return existsSync(dir) ? readdirSync(dir) : []
}

it('is written by the baseline alone, copied for candidates in later processes, and not seen by what is measured', async () => {
  const at = lab(files)
  await (await at.open()).init(settings)
  const [key] = caches(at.data)
  expect(key).toMatch(/^\w/)
  for (const speed of [100, 50, 40, 30]) {
    at.put('speed.txt', `${speed}\n`)
    // another process each time
    const session = await at.open()
    const { status, metrics, reason } = await session.run({})
    expect({ speed, status, reason, marks: metrics?.marks }).toMatchObject({
      speed,
      status: speed === 100 ? 'baseline' : 'keep',
      marks: 0,
    })
    await session.log({})
    expect(caches(at.data)).toEqual([key])
  }
  await (await at.open()).init({
    ...settings,
    reset: true,
    build: `echo base >>"$XDG_CACHE_HOME/seen"; bash build.sh`,
  })
  expect(caches(at.data)).toHaveLength(1)
  expect(caches(at.data)).not.toEqual([key])
})

const config = { tree: 't1', build: 'make', env: [] }

it.each([
  [{}, ['CCACHE_DIR', 'GOCACHE', 'PIP_CACHE_DIR', 'XDG_CACHE_HOME', 'npm_config_cache']],
  [{ GOCACHE: '/g' }, ['CCACHE_DIR', 'PIP_CACHE_DIR', 'XDG_CACHE_HOME', 'npm_config_cache']],
  [{ CCACHE_DIR: '/c', npm_config_cache: '/n' }, ['GOCACHE', 'PIP_CACHE_DIR', 'XDG_CACHE_HOME']],
])('leaves variables of the user as they are: %j', (env, names) => {
  expect(Object.keys(openBuildCache(scratch(), config, env, true).env).sort()).toEqual(names)
})

it.each([
  ['a build that is not of the baseline', config, false, false],
  ['the baseline', config, true, true],
  ['the baseline of another segment', { ...config, tree: 't2' }, true, false],
  ['the baseline under another command', { ...config, build: 'make all' }, true, false],
])('%s: stored once, and found only by builds of the same segment', async (_, first, isBaseline, isFound) => {
  const dir = scratch()
  const folder = scratchWith({ 'own/anode/home/x': '' })
  const cache = openBuildCache(dir, first, {}, isBaseline)
  await cache.place(folder)
  const other = scratchWith({ 'own/anode/cache/object': 'one' })
  await cache.store(other)
  const next = scratchWith({ 'own/anode/home/x': '' })
  await openBuildCache(dir, config, {}, false).place(next)
  expect(readdirSync(join(next, 'own/anode/cache'))).toEqual(isFound ? ['object'] : [])
})

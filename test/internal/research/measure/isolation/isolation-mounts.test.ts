// Mount tables: every path survives the format, and paths that are hidden anyway are skipped.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mountTables } from '../../../../../internal/research/measure/isolation/isolation-mounts.ts'
import { scratch } from '../../../../support/scratch.ts'

const nothing = { checkout: '/c', cwd: '/tmp/anode/checkout', keep: [], cover: [], mask: [] }

/** Returns source, target, kind and options of every row, with escapes decoded as `mount` does. */
const rows = (table: string) =>
  table
    .split('\n')
    .filter(Boolean)
    .map((line) =>
      line
        .split(/[ \t]/)
        .map((word) => word.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)))),
    )

it.each(['a b', 'a\tb', 'a\u00a0b', 'a\nb', 'a\\b', 'a\\040b', '#a', 'ü', `a'"$b`])(
  'writes the path %j as one word',
  (name) => {
    const { inner, outer } = mountTables(`/f/${name}`, { ...nothing, checkout: `/c/${name}` })
    expect(rows(inner)).toEqual([
      [`/f/${name}/own`, `/f/${name}/own`, 'none', 'bind', '0', '0'],
      [`/c/${name}`, `/f/${name}/own/anode/checkout`, 'none', 'rbind', '0', '0'],
    ])
    expect(rows(outer)[0]).toEqual([`/f/${name}/own`, '/tmp', 'none', 'rbind', '0', '0'])
  },
)

it('covers directories and masks files that are visible, also through links', () => {
  const dir = scratch()
  mkdirSync(join(dir, 'folder'))
  writeFileSync(join(dir, 'file'), '')
  symlinkSync('folder', join(dir, 'link'))
  const cover = ['folder', 'link', 'none'].map((name) => join(dir, name))
  const mask = [join(dir, 'file'), '/etc/passwd']
  const targets = (keep: string[]) =>
    rows(mountTables('/f', { ...nothing, keep, cover, mask }).outer)
      .filter(([, target = '']) => target.startsWith(dir) || target.startsWith('/etc'))
      .map(([source, target]) => [source, target])
  expect(targets([dir])).toEqual([
    ['/f', join(dir, 'folder')],
    ['/f', join(dir, 'folder')],
    ['/dev/null', join(dir, 'file')],
    ['/dev/null', '/etc/passwd'],
  ])
  // everything in /tmp is new
  expect(dir.startsWith('/tmp/') ? targets([]) : []).toEqual(
    dir.startsWith('/tmp/') ? [['/dev/null', '/etc/passwd']] : [],
  )
})

// Relative paths that lead out of a directory, compared with the text of the absolute paths.
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { leadsOutside } from '../../../../internal/base/files/outside-path.ts'
import { readPluginSettings } from '../../../../internal/runtime/extensions/plugins.ts'
import { rng } from '../../../support/rng.ts'

const names = ['a', '..', '...', '..a', '.', '.a', 'a..', '..a/..']

test('agrees with the absolute paths for every name that begins with dots', () => {
  const random = rng(7)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = () =>
    join('/', ...Array.from({ length: 1 + below(4) }, () => names[below(names.length)] as string))
  for (let i = 0; i < 5_000; i++) {
    const [dir, path] = [pick(), pick()]
    const isInside = path === dir || path.startsWith(dir === '/' ? dir : `${dir}/`)
    expect([dir, path, leadsOutside(relative(dir, path))]).toEqual([dir, path, !isInside])
  }
})

test.each([
  ['..tools/plug', true],
  ['.../plug', true],
  ['../plug', false],
  ['/elsewhere/plug', false],
])('the plugin %s counts as a part of the workspace: %s', (path, isInside) => {
  const loaded = { config: {}, origins: new Map(), notes: [] }
  const context = { workspace: '/work', data: '/data', trusted: true, loaded, env: {} } as never
  const { settings, notes } = readPluginSettings(context, [path])
  expect(settings.map(({ own }) => own)).toEqual(isInside ? [] : [false])
  expect(notes.join()).toMatch(isInside ? /only plugins below \.anode or \.agents are used/ : /^$/)
})

// Which names are offered for a mistyped one.
import { expect, it } from 'vitest'
import { cacheDir, configDir, dataDir } from '../../../../internal/base/dirs.ts'
import { createId, createUlid } from '../../../../internal/base/ids.ts'
import { findNearest, suggestNames } from '../../../../internal/base/text/name-suggestion.ts'

const known = ['read', 'multi_read', 'grep', 'glob', 'edit_file', 'create_file']

it.each([
  ['raed', 'did you mean read?'],
  ['gerp', 'did you mean grep?'],
  ['edit', 'did you mean edit_file?'],
  ['zzzzzzzz', ''],
  // one letter says nothing, and neither do words that share their ending
  ['m', ''],
  ['g', ''],
  ['read_stdin', 'did you mean read?'],
])('suggests a name for %s', (name, expected) => expect(suggestNames(name, known, 1)).toBe(expected))

it.each(['version', 'models', 'login', 'chat', 'init', 'update', 'serve', 'what'])(
  '%s is not one of the commands',
  (name) => {
    const commands = [
      'execute',
      'review',
      'worker',
      'study',
      'tools',
      'render',
      'profiles',
      'skills',
      'permissions',
      'mcp',
    ]
    expect(findNearest(name, commands)).toEqual([])
  },
)

it('suggests the most similar name first, up to the limit', () => {
  expect(findNearest('glo', known, 2)[0]).toBe('glob')
  expect(findNearest('read', known, 1)).toEqual(['read'])
})

it('creates identifiers that differ and sort by time', () => {
  const made = Array.from({ length: 1000 }, createUlid)
  expect(new Set(made).size).toBe(1000)
  expect([...made].sort()).toEqual(made)
  expect(createId('sess')).toMatch(/^sess_[0-9A-HJKMNP-TV-Z]{26}$/)
})

it('uses absolute XDG paths, and ignores relative ones', () => {
  expect(configDir({ XDG_CONFIG_HOME: '/c' })).toBe('/c/anode')
  expect(configDir({ XDG_CONFIG_HOME: 'c' })).toMatch(/\/\.config\/anode$/)
  expect(dataDir({ ANODE_DATA_DIR: '/d', XDG_DATA_HOME: '/x' })).toBe('/d')
  expect(cacheDir({ XDG_CACHE_HOME: '/k' })).toBe('/k/anode')
})

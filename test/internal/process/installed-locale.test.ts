// Locales that are not installed: replaced in the environment of commands, so that no program warns.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandEnvironment, withInstalledLocale } from '../../../internal/process/child-environment.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

const isGlibc = spawnSync('localedef', ['--help']).status === 0

/** Locales as packages install them: some in an archive of localedef, C.UTF-8 as a directory. */
function makeLocales(hasUnicode: boolean): string {
  const base = scratch()
  const root = join(base, 'usr/lib/locale')
  mkdirSync(root, { recursive: true })
  const make = (input: string, charmap: string, name: string) =>
    execFileSync('localedef', ['-i', input, '-f', charmap, `--prefix=${base}`, name], { stdio: 'ignore' })
  make('de_DE', 'UTF-8', 'de_DE.UTF-8')
  make('fr_FR', 'ISO-8859-1', 'fr_FR')
  if (hasUnicode) mkdirSync(join(root, 'C.utf8/LC_CTYPE'), { recursive: true })
  return root
}

const installed = ['C', 'POSIX', 'de_DE.UTF-8', 'de_DE.utf8', 'fr_FR', 'fr_FR.ISO-8859-1', 'german', '']
const missing = [
  'xx_YY.UTF-8',
  'de_DE.KOI8-R',
  'de_AT.UTF-8',
  'en_US',
  'UTF-8',
  'de_DE.UTF-8@euro',
  '../C.utf8',
]
const variables = ['LC_ALL', 'LC_CTYPE', 'LC_TIME', 'LANG']

test.skipIf(!isGlibc)('keeps installed locales, and replaces or removes all others', () => {
  const withUnicode = makeLocales(true)
  const without = makeLocales(false)
  for (const name of variables) {
    for (const value of installed) {
      const env = { [name]: value, PATH: '/bin' }
      expect(withInstalledLocale(env, {}, withUnicode), value).toEqual(env)
    }
    for (const value of missing) {
      const env = { [name]: value, LANGUAGE: value, PATH: '/bin' }
      expect(withInstalledLocale(env, {}, withUnicode), value).toEqual({ ...env, [name]: 'C.UTF-8' })
      expect(withInstalledLocale(env, {}, without), value).toEqual({ LANGUAGE: value, PATH: '/bin' })
    }
  }
})

test('changes nothing if locales are found in another way', () => {
  const env = { LC_ALL: 'xx_YY.UTF-8' }
  expect(withInstalledLocale(env, { LOCPATH: '/x' }, scratchWith({}))).toEqual(env)
  expect(withInstalledLocale(env, { LOCALE_ARCHIVE: '/x' }, scratchWith({}))).toEqual(env)
  expect(withInstalledLocale(env, {}, join(scratchWith({}), 'none'))).toEqual(env)
})

test.each(variables)('bash and perl print no warning about %s of a command', (name) => {
  const env = commandEnvironment({ PATH: process.env['PATH'], [name]: 'xx_YY.UTF-8' })
  const { stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', 'echo one; command -v perl >&- && perl -e 1'],
    { env },
  )
  expect([String(stdout), String(stderr)]).toEqual(['one\n', ''])
  // what a user has listed passes as it is
  const own = { [name]: 'xx_YY.UTF-8' }
  expect(commandEnvironment(own, [name])).toMatchObject(own)
})

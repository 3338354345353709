// The table of programs: every line says something, and no two lines contradict each other.
import { expect, test } from 'vitest'
import {
  findProgram,
  isListed,
  knowsProgram,
  listPrograms,
  readTable,
  traitWords,
} from '../../../../../internal/policy/shell/programs/program-table.ts'
import { filesBelow, read } from '../../../../support/sources.ts'

const roles = [
  'reads',
  'version',
  'harmless',
  'wraps',
  'shells',
  'interprets',
  'risks',
  'builds',
  'git',
  'git risks',
  'commits',
  'loopback',
  'effects',
  'finds',
  'lists',
  'options',
]
const traits: Readonly<Record<string, readonly string[]>> = {
  reads: [
    'texts',
    'any',
    'first',
    'given',
    'max',
    'min',
    'plus',
    'outputs',
    'expands',
    'starts',
    'contents',
    'below',
    'unless',
    'hidden',
    'dots',
    'own',
    'needs',
    'values',
    'bundles',
  ],
  git: ['first', 'given', 'contents', 'below', 'unless', 'max', 'min', 'list'],
  effects: [
    ...['moves', 'anywhere', 'reads'],
    ...['spreads', 'paths', 'whole', 'into', 'absolute', 'bundle', 'idle', 'untracked'],
  ],
  wraps: ['skip', 'assigns', 'dash', 'mixed', 'open', 'moves', 'vague', 'stdin', 'script', 'scripts', 'none'],
  shells: ['foreign', 'idle'],
  'git risks': [],
  commits: ['needs'],
  loopback: [],
  finds: ['rest'],
  interprets: ['idle'],
  risks: ['runs', 'writes', 'code', 'edits', 'shell', 'sets', 'any'],
  version: ['version'],
  harmless: [],
}

test.each(listPrograms())('%s: %s', (role, name, { options, traits: own, patterns }) => {
  expect(roles).toContain(role)
  expect(name.trim()).toBe(name)
  const allowed = traits[role]
  if (allowed) expect([...own.keys()].filter((key) => !allowed.includes(key))).toEqual([])
  if (role !== 'risks' && role !== 'lists' && !own.has('spreads')) expect(patterns).toEqual([])
  if (role === 'effects') expect([undefined, 'tracked', 'below']).toContain(own.get('spreads'))
  // options that a trait speaks of are there
  const program = { options, traits: own, patterns }
  for (const trait of ['given', 'below', 'dots', 'list', 'needs'])
    if (role !== 'builds')
      for (const option of traitWords(program, trait))
        expect(options.has(option) || options.has(`--${option}`), `${trait}=${option}`).toBe(true)
  // a reader's table has no way to run anything
  if (role === 'reads' || role === 'git')
    expect([...options].filter(([, marks]) => /[$!&]/.test(marks))).toEqual([])
  if (role === 'risks') expect(own.size).toBeGreaterThan(0)
})

test('readers have no options that start programs', () => {
  const words = {
    rg: ['--pre', '--search-zip', 'z', '--hostname-bin'],
    sort: ['--compress-program'],
    fd: ['x', 'X', '--exec', 'l'],
    find: ['.-exec', '.-ok', '.-execdir'],
    diff: ['l', '--paginate'],
    jq: ['f', 'L', '--from-file'],
    sed: ['f', '--file'],
    awk: ['f', 'e', 'i', 'l'],
    wait: ['p'],
  }
  for (const [name, options] of Object.entries(words))
    for (const option of options)
      expect(findProgram('reads', name)?.options.has(option), `${name} ${option}`).toBe(false)
  const log = findProgram('git', 'log')
  for (const option of [
    '--ext-diff',
    '--textconv',
    '--output',
    '--show-signature',
    'O',
    '--no-index',
    '--submodule',
  ])
    expect(log?.options.has(option), option).toBe(false)
})

test('rejects a line that is not understood', () => {
  for (const line of ['a | §', 'a  b  c | -x', ', a | -x', 'a | --x§'])
    expect(() => readTable(`## reads\n${line}\n`), line).toThrow('the table of programs')
})

test('names of object properties are not programs', () => {
  expect(findProgram('reads', 'constructor')).toBeUndefined()
  expect(knowsProgram('toString')).toBe(false)
  expect(knowsProgram('ls')).toBe(true)
})

test('every list of the table is used, and every used list is in the table', () => {
  const asked = new Set(
    filesBelow('internal/policy', '.ts').flatMap((file) =>
      [...read(file).matchAll(/isListed\('([^']+)'/g)].map(([, list]) => list as string),
    ),
  )
  expect([...asked].sort()).toEqual(
    listPrograms()
      .flatMap(([role, name]) => (role === 'lists' ? [name] : []))
      .sort(),
  )
  expect(isListed('folder changers', 'cd')).toBe(true)
  expect(isListed('loaders', 'ld-linux.so.2')).toBe(true)
  expect(isListed('folder changers', 'ls')).toBe(false)
  expect(() => isListed('nothing', 'cd')).toThrow('the table of programs has no list "nothing"')
})

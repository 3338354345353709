// Precedence of profiles, and unusable files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  findProfile,
  findProfileServing,
  loadBuiltinProfiles,
  loadProfiles,
  parseBuiltinProfiles,
} from '../../../internal/profile/profile-set.ts'

let root: string
let user: string
let workspace: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-profiles-'))
  user = join(root, 'user')
  workspace = join(root, 'workspace')
  mkdirSync(user)
  mkdirSync(workspace)
})
afterEach(() => rmSync(root, { recursive: true }))

const file = (about: string, extra = '') =>
  `---\nabout: ${about}\ntools: [read]\n${extra}---\nPrompt of ${about}.\n`
const put = (dir: string, name: string, text: string) => writeFileSync(join(dir, `${name}.md`), text)
const builtin = async () => (await loadBuiltinProfiles()).filter(({ default: standard }) => standard)

test('the configuration replaces the workspace, the workspace replaces the user, the user replaces built-in profiles', async () => {
  const [base] = await builtin()
  if (!base) throw new Error('no default profile')
  const at = async (sources: object) => (await loadProfiles({ builtin: [base], ...sources })).all[0]
  expect(await at({})).toMatchObject({ origin: 'builtin' })
  put(user, base.name, file('user'))
  expect(await at({ user })).toMatchObject({ origin: 'user', about: 'user' })
  put(workspace, base.name, file('workspace'))
  expect(await at({ user, workspace })).toMatchObject({ origin: 'workspace', about: 'workspace' })
  const config = { [base.name]: { effort: 6 } }
  expect(await at({ user, workspace, config })).toMatchObject({
    origin: 'config',
    about: 'workspace',
    effort: 6,
    path: `profiles.${base.name}`,
  })
})

test('a profile that replaces another keeps its aliases and stays the default', async () => {
  const [base] = await builtin()
  if (!base) throw new Error('no default profile')
  put(user, base.name, file('user', 'aliases: [own]\n'))
  const profiles = await loadProfiles({ user })
  for (const name of [undefined, base.name, 'own', ...base.aliases]) {
    expect(findProfile(profiles, name)).toMatchObject({ about: 'user', origin: 'user' })
  }
})

test('uses the default of the highest level', async () => {
  put(user, 'mine', file('mine', 'default: true\n'))
  expect(findProfile(await loadProfiles({ user }), undefined).name).toBe('mine')
})

test('reports bad files as diagnostics, and loads the rest', async () => {
  put(user, 'good', file('good'))
  put(user, 'typo', file('typo', 'readonly: true\n'))
  put(user, 'Bad Name', file('bad'))
  put(user, 'plain', 'no head')
  put(user, 'renamed', file('renamed', 'name: other\n'))
  writeFileSync(join(user, 'notes.txt'), 'not a profile')
  mkdirSync(join(user, 'folder.md'))
  writeFileSync(join(user, 'binary.md'), Uint8Array.of(0xff, 0xfe))
  const profiles = await loadProfiles({ user, builtin: [] })
  expect(profiles.all.map(({ name }) => name)).toEqual(['good'])
  const said = Object.fromEntries(
    profiles.diagnostics.map((d) => [d.where.slice(user.length + 1), d.message]),
  )
  expect(said).toEqual({
    'Bad Name.md': expect.stringContaining('Bad Name is not a name'),
    'binary.md': expect.stringContaining('not UTF-8'),
    'folder.md': expect.stringContaining('not a regular file'),
    'plain.md': 'the file has no frontmatter',
    'renamed.md': expect.stringContaining('name is other, but it is loaded as renamed'),
    'typo.md': 'unknown key readonly, did you mean readOnly?',
  })
})

test('a broken file is not replaced by a less strict profile of a lower level', async () => {
  const [base] = await builtin()
  if (!base) throw new Error('no default profile')
  put(user, base.name, file('strict', 'readonly: true\n'))
  const profiles = await loadProfiles({ user })
  for (const name of [undefined, base.name, ...base.aliases]) {
    expect(() => findProfile(profiles, name)).toThrow('unknown key readonly')
  }
  const config = { [base.name]: { effort: 1 } }
  expect(() => findProfile({ ...profiles }, base.name)).toThrow('cannot be used')
  const patched = await loadProfiles({ user, config })
  expect(() => findProfile(patched, base.name)).toThrow(`profiles.${base.name}`)
  put(workspace, base.name, file('whole'))
  expect(findProfile(await loadProfiles({ user, workspace }), base.name).about).toBe('whole')
})

test('ignores missing directories, and reports an entry that is not an object', async () => {
  const profiles = await loadProfiles({ user: join(root, 'none'), builtin: [], config: { a: 3 } })
  expect(profiles.diagnostics).toEqual([
    { severity: 'error', where: 'profiles.a', message: 'must be an object' },
  ])
})

test('a duplicate alias is reported and keeps its first meaning', async () => {
  put(user, 'aaa', file('aaa', 'aliases: [x, bbb]\n'))
  put(user, 'bbb', file('bbb', 'aliases: [x]\n'))
  const profiles = await loadProfiles({ user, builtin: [] })
  expect(findProfile(profiles, 'x').name).toBe('aaa')
  expect(findProfile(profiles, 'bbb').name).toBe('bbb')
  expect(profiles.diagnostics.map(({ message }) => message)).toEqual([
    'the alias bbb of aaa is not in use: it already means bbb',
    'the alias x of bbb is not in use: it already means aaa',
  ])
})

test('the build rejects a built-in directory with a problem', async () => {
  put(user, 'typo', file('typo', 'readonly: true\n'))
  await expect(parseBuiltinProfiles(user)).rejects.toThrow('unknown key readonly')
})

test('reads the file of the build next to the bundle, unchanged', async () => {
  const parsed = await loadBuiltinProfiles()
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(join(root, 'dist/profiles.json'), JSON.stringify(parsed))
  expect(await loadBuiltinProfiles(pathToFileURL(join(root, 'dist/anode.cjs')).href)).toEqual(parsed)
})

// Names, aliases and mistyped names of profiles, and their default tasks.

describe('profile lookup', async () => {
  const profiles = await loadProfiles({})

  test('every alias leads to its profile', () => {
    for (const profile of profiles.all) {
      expect(findProfile(profiles, profile.name)).toBe(profile)
      for (const alias of profile.aliases) expect(findProfile(profiles, alias)).toBe(profile)
    }
  })

  test.each([
    ['crafft', 'did you mean craft'],
    ['oracel', 'did you mean oracle?'],
    ['zzzzzzzzzzzzzz', 'known are aggman, build-plan, craft'],
  ])('%s is unknown', (name, hint) => {
    try {
      findProfile(profiles, name)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({
        name: 'UserError',
        message: `unknown profile ${name}`,
        hint: expect.stringContaining(hint),
        exit: 2,
      })
    }
  })

  test('reports a missing default without any profile', async () => {
    const none = await loadProfiles({ builtin: [] })
    expect(() => findProfile(none, undefined)).toThrow('no profile is marked as the default')
  })

  const user = mkdtempSync(join(tmpdir(), 'anode-profiles-'))
  afterAll(() => rmSync(user, { recursive: true }))

  test.each([
    ['finder', 'find'],
    ['oracle', 'oracle'],
    ['code_review', 'review'],
    ['run_experiment', 'propose'],
    ['build_plan', 'build-plan'],
    ['study_report', 'aggman'],
    ['task', profiles.standard],
  ])('%s is served by %s', (work, name) => {
    expect(findProfileServing(profiles, work).name).toBe(name)
  })

  test('a profile that replaces another serves the same tasks', async () => {
    writeFileSync(join(user, 'aggman.md'), '---\nabout: writes reports\ntools: [read]\n---\nWrite.\n')
    const own = findProfileServing(await loadProfiles({ user }), 'study_report')
    expect(own).toMatchObject({ name: 'aggman', prompt: 'Write.', origin: 'user' })
  })

  test('a broken profile passes its tasks to no other', async () => {
    writeFileSync(join(user, 'find.md'), '---\nabout: finds\ntools: [read]\nmaxTurns: many\n---\nFind.\n')
    const broken = await loadProfiles({ user })
    expect(() => findProfileServing(broken, 'finder')).toThrow('the profile find cannot be used')
  })
})

// Precedence of skills with the same name, directories without a skill, and the capability that tools use.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Skill } from '../../../internal/skill/skill.ts'
import {
  loadBuiltinSkills,
  loadSkills,
  openSkills,
  parseBuiltinSkills,
} from '../../../internal/skill/skill-set.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-skills-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const put = (place: string, name: string, head = `name: ${name}\ndescription: from ${place}`) => {
  mkdirSync(join(root, place, name), { recursive: true })
  writeFileSync(join(root, place, name, 'SKILL.md'), `---\n${head}\n---\nText.\n`)
}

test('workspace skills replace user skills, user skills replace built-in skills, and each replacement is reported', async () => {
  const [base] = await loadBuiltinSkills()
  if (!base) throw new Error('no built-in skill')
  for (const place of ['user', 'agents', 'anode']) put(place, base.name)
  const workspace = [join(root, 'agents'), join(root, 'anode')]
  const { all, diagnostics } = await loadSkills({ builtin: [base], user: join(root, 'user'), workspace })
  expect(all).toMatchObject([{ name: base.name, origin: 'workspace', description: 'from anode' }])
  expect(diagnostics).toEqual([
    {
      severity: 'warning',
      where: join(root, 'user', base.name),
      message: 'replaces the skill of the same name in the package',
    },
    {
      severity: 'warning',
      where: join(root, 'agents', base.name),
      message: `replaces the skill of the same name in ${join(root, 'user', base.name)}`,
    },
    {
      severity: 'warning',
      where: join(root, 'anode', base.name),
      message: `replaces the skill of the same name in ${join(root, 'agents', base.name)}`,
    },
  ])
})

test('loads no workspace skills without trust', async () => {
  put('agents', 'evil')
  expect((await loadSkills({ builtin: [], user: join(root, 'none') })).all).toEqual([])
})

test('reports bad directories as diagnostics, and loads the rest', async () => {
  put('user', 'good')
  put('user', 'typo', 'name: tpyo\ndescription: x')
  mkdirSync(join(root, 'user/empty'))
  writeFileSync(join(root, 'user/README.md'), 'not a skill')
  symlinkSync(join(root, 'nowhere'), join(root, 'user/dangling'))
  const { all, diagnostics } = await loadSkills({ builtin: [], user: join(root, 'user') })
  expect(all.map(({ name }) => name)).toEqual(['good'])
  expect(
    diagnostics.map(({ severity, where, message }) => [severity, where.slice(root.length + 6), message]),
  ).toEqual([
    ['error', 'dangling', expect.stringContaining('ENOENT')],
    ['error', 'empty', 'this directory has no SKILL.md'],
    ['error', 'typo', 'name is tpyo, but the folder is typo; make them equal'],
  ])
})

test('reads a linked skill directory', async () => {
  put('shared', 'linked')
  mkdirSync(join(root, 'user'))
  symlinkSync(join(root, 'shared/linked'), join(root, 'user/linked'))
  expect((await loadSkills({ builtin: [], user: join(root, 'user') })).all).toMatchObject([
    { name: 'linked' },
  ])
})

test('the build rejects a built-in directory with a problem', async () => {
  put('builtin', 'typo', 'name: tpyo\ndescription: x')
  await expect(parseBuiltinSkills(join(root, 'builtin'))).rejects.toThrow('name is tpyo')
})

test('reads the file of the build next to the bundle, and skill files from the package root', async () => {
  put('skills', 'tidy')
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(
    join(root, 'dist/skills.json'),
    JSON.stringify(await parseBuiltinSkills(join(root, 'skills'))),
  )
  expect(await loadBuiltinSkills(pathToFileURL(join(root, 'dist/anode.cjs')).href)).toEqual([
    {
      name: 'tidy',
      description: 'from skills',
      body: 'Text.',
      files: [],
      origin: 'builtin',
      dir: join(root, 'skills/tidy'),
    },
  ])
})

test.each(['user', 'workspace'] as const)(
  'loads all other skills if the %s directory of commands is a file, and reports it',
  async (place) => {
    put('agents', 'fine')
    const file = join(root, 'commands')
    writeFileSync(file, 'not a directory')
    const commands = place === 'user' ? { user: file } : { workspace: [file] }
    const sources = { builtin: [], workspace: [join(root, 'agents')], commands }
    const { all, diagnostics } = await loadSkills(sources)
    expect(all.map(({ name }) => name)).toEqual(['fine'])
    expect(diagnostics).toEqual([expect.objectContaining({ where: file })])
  },
)

const skill: Skill = {
  name: 'tidy',
  description: 'Tidies up',
  body: 'Tidy $INPUT now.',
  files: ['lib/list.md'],
  origin: 'user',
  dir: '/skills/tidy',
}

test('lists skills and loads their text', async () => {
  const skills = openSkills({ builtin: [skill] })
  expect(await skills.list()).toEqual([
    { name: 'tidy', description: 'Tidies up', origin: 'user', path: '/skills/tidy/SKILL.md' },
  ])
  expect(await skills.load('tidy', 'src')).toEqual({
    text: 'Tidy src now.',
    files: ['/skills/tidy/lib/list.md'],
  })
  expect(await skills.load('tdiy', 'src')).toBeUndefined()
})

test('runs onLoad before it returns the instructions, and an error in onLoad rejects the load', async () => {
  const seen: string[] = []
  const skills = openSkills({ builtin: [skill] }, async ({ name }) => {
    seen.push(name)
    throw new Error('its server did not start')
  })
  await skills.list()
  expect(seen).toEqual([])
  await expect(skills.load('tidy', undefined)).rejects.toThrow('did not start')
  expect(seen).toEqual(['tidy'])
})

test('paths of built-in skills exist', async () => {
  const skills = openSkills({})
  for (const { name, path } of await skills.list()) {
    expect(existsSync(path), path).toBe(true)
    for (const file of (await skills.load(name, undefined))?.files ?? [])
      expect(existsSync(file), file).toBe(true)
  }
})

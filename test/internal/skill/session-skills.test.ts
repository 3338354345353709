// The capability that tools use: listing, loading, filling in the input.
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fillInput, openSkills } from '../../../internal/skill/session-skills.ts'
import type { Skill } from '../../../internal/skill/skill.ts'

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

test.each([
  ['Do $INPUT, then $INPUT.', 'a $& b', 'Do a $& b, then a $& b.'],
  ['Do $INPUT.', undefined, 'Do (no input was given).'],
  ['Do $INPUT.', '  ', 'Do (no input was given).'],
  ['Do it.', 'src', 'Do it.\n\nInput: src'],
  ['Do it.', undefined, 'Do it.'],
  ['Not $INPUTS or $INPUT_FILE.', undefined, 'Not $INPUTS or $INPUT_FILE.'],
])('fill %j with %j', (body, input, expected) => {
  expect(fillInput(body, input)).toBe(expected)
})

test('paths of built-in skills exist', async () => {
  const skills = openSkills({})
  for (const { name, path } of await skills.list()) {
    expect(existsSync(path), path).toBe(true)
    for (const file of (await skills.load(name, undefined))?.files ?? [])
      expect(existsSync(file), file).toBe(true)
  }
})

// list_skills: the skills of the session, or a notice without any.
import { expect, test } from 'vitest'
import { openSkills } from '../../../../internal/skill/skill-set.ts'
import { listSkills } from '../../../../internal/tools/session/list_skills.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const skill = {
  name: 'tidy',
  description: 'Tidies up',
  body: 'x',
  files: [],
  origin: 'user',
  dir: '/s/tidy',
} as const

test('prints one line per skill', async () => {
  const result = await call(listSkills, {}, ctxWith({ skills: openSkills({ builtin: [skill] }) }))
  expect(result.text.split('\n')[0]).toBe('tidy (user): Tidies up')
  expect(result.data).toEqual({
    skills: [{ name: 'tidy', description: 'Tidies up', origin: 'user', path: '/s/tidy/SKILL.md' }],
  })
})

test('reports an empty list', async () => {
  const result = await call(listSkills, {}, ctxWith({ skills: openSkills({ builtin: [] }) }))
  expect(result).toEqual({ text: 'No skills are installed.', data: { skills: [] } })
  expect(listSkills.available?.(ctxWith())).toContain('not set up')
  expect(listSkills.available?.(ctxWith({ skills: openSkills({ builtin: [] }) }))).toBe(true)
})

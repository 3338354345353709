// skill hands out instructions with their files, or the nearest names.
import { expect, test } from 'vitest'
import { openSkills } from '../../../../internal/skill/skill-set.ts'
import { skill } from '../../../../internal/tools/session/skill.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const one = {
  name: 'code_review',
  description: 'Reviews',
  body: 'Review $INPUT.',
  files: ['list.md'],
  origin: 'builtin',
  dir: '/s/code_review',
} as const
const ctx = ctxWith({
  skills: openSkills({ builtin: [one, { ...one, name: 'plain', body: 'Go.', files: [] }] }),
})

test('returns the instructions with the input, and the files of the skill', async () => {
  const result = await call(skill, { name: 'code_review', input: 'src/a.ts' }, ctx)
  expect(result.text).toBe(
    'Skill code_review\n\nReview src/a.ts.\n\nFiles of this skill:\n/s/code_review/list.md',
  )
  expect(result.data).toEqual({
    name: 'code_review',
    text: 'Review src/a.ts.',
    files: ['/s/code_review/list.md'],
  })
  expect((await call(skill, { name: 'plain' }, ctx)).text).toBe('Skill plain\n\nGo.')
})

test.each([
  ['code-review', 'did you mean code_review?'],
  ['zzzzzzzzzzzzzzzz', 'known are code_review, plain'],
])('%s is unknown', async (name, hint) => {
  const { failed, data } = await call(skill, { name }, ctx)
  expect(failed).toMatchObject({ code: 'not_found', hint, detail: { known: ['code_review', 'plain'] } })
  expect(data).toBeNull()
})

test('reports that no skills are installed', async () => {
  const none = ctxWith({ skills: openSkills({ builtin: [] }) })
  expect((await call(skill, { name: 'x' }, none)).failed?.hint).toBe('no skills are installed')
  expect(skill.available?.(ctxWith())).toContain('not set up')
})

// Names, aliases and mistyped names of profiles, and their default tasks.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findProfile, findProfileServing } from '../../../internal/profile/profile-lookup.ts'
import { loadProfiles } from '../../../internal/profile/profile-set.ts'

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

// Names, aliases and mistyped names of profiles.
import { expect, test } from 'vitest'
import { findProfile } from '../../../internal/profile/profile-lookup.ts'
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
  ['zzzzzzzzzzzzzz', 'known are aggman, craft'],
])('%s is unknown', (name, hint) => {
  try {
    findProfile(profiles, name)
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({
      name: 'UserError',
      message: `there is no profile ${name}`,
      hint: expect.stringContaining(hint),
      exit: 2,
    })
  }
})

test('without any profile there is no default', async () => {
  const none = await loadProfiles({ builtin: [] })
  expect(() => findProfile(none, undefined)).toThrow('no profile is marked as the default')
})

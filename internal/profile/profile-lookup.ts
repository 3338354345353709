// Lookup of a profile by its name or an alias, or of the default profile.
import { UserError } from '../base/errors.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import type { Profile } from './profile.ts'
import type { ProfileSet } from './profile-set.ts'

/**
 * Returns the profile with that name or alias, or the default profile without a name. Throws UserError for an
 * unknown or invalid profile, and if the default is requested but not defined.
 */
export function findProfile(profiles: ProfileSet, name: string | undefined): Profile {
  const asked = name ?? profiles.standard
  if (asked === undefined) {
    throw new UserError('no profile is marked as the default', { hint: 'name one with --profile' })
  }
  const names = new Map(profiles.all.map((profile) => [profile.name, profile]))
  const isOwnName = names.has(asked) || profiles.broken.has(asked)
  const wanted = isOwnName ? asked : (profiles.aliases.get(asked) ?? asked)
  const found = names.get(wanted)
  if (found) return found
  const broken = profiles.broken.get(wanted)
  if (broken) {
    throw new UserError(`the profile ${wanted} cannot be used: ${broken.where}: ${broken.message}`, {
      hint: broken.hint ?? 'fix or remove it; another profile of the same name is not used in its place',
    })
  }
  const known = [...names.keys(), ...profiles.aliases.keys()]
  throw new UserError(`unknown profile ${asked}`, {
    hint: suggestNames(asked, known) || `known are ${[...names.keys()].join(', ')}`,
  })
}

/**
 * Returns the profile whose `serves` contains `work` (the name of a tool or of another task), or the default
 * profile. Throws UserError like `findProfile`.
 */
export function findProfileServing(profiles: ProfileSet, work: string): Profile {
  return findProfile(profiles, profiles.serving.get(work))
}

// The profile that a session of direct calls names, and the warning about its tools that do not exist.
import type { Profile } from '../../profile/profile.ts'
import { findProfile } from '../../profile/profile-set.ts'
import { warnUnmatchedTools } from '../../profile/unmatched-tools.ts'
import type { Runtime } from '../../runtime/runtime.ts'

export async function findNamed(runtime: Runtime, name: string): Promise<Profile> {
  return findProfile(await runtime.profiles(), name)
}

export function warnUnmatched(runtime: Runtime, profile: Profile): string | undefined {
  return warnUnmatchedTools(profile, [
    ...runtime.entries().map(({ name }) => name),
    ...(runtime.toolset?.faceNames ?? []),
  ])
}

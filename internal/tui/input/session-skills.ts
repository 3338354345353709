// The skills of a session's workspace, which the user calls with `/NAME`.
import type { SessionService } from '../../session/client.ts'
import type { NamedSkill } from './slash-command.ts'

/** Loads the skills once, when the user first types a slash. Returns an empty list if they cannot be read. */
export async function readSkills(
  service: Pick<SessionService, 'listSkills'>,
  holder: { skills: readonly NamedSkill[] | undefined },
): Promise<readonly NamedSkill[]> {
  if (holder.skills) return holder.skills
  const skills = (await service.listSkills?.().catch(() => [])) ?? []
  holder.skills ??= skills
  return holder.skills
}

// The skills of a session's workspace, which the user calls with `/NAME`.
import type { SessionService } from '../../session/client.ts'
import type { NamedSkill } from './slash-command.ts'

/** Returns the skills, which the first call loads. Returns an empty list if they cannot be read. */
export async function readSkills(
  service: Pick<SessionService, 'listSkills'>,
  holder: { skills: readonly NamedSkill[] | undefined },
): Promise<readonly NamedSkill[]> {
  if (holder.skills) return holder.skills
  const skills = (await service.listSkills?.().catch(() => [])) ?? []
  holder.skills ??= skills
  return holder.skills
}

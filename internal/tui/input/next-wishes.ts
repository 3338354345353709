// What the person has chosen for this screen, and what of it holds for the next conversation on it. Pure.
import type { SessionSource, SessionWishes } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import type { SessionView } from '../../session/view/session-view.ts'

/** After a command that was accepted. */
export function rememberWish(wishes: SessionWishes, command: SessionCommand): SessionWishes {
  if (command.type === 'set_model') return { ...wishes, model: command.model }
  if (command.type === 'set_profile') return { ...wishes, profile: command.name }
  return wishes
}

/**
 * A thread that goes on has its own profile, model and tools; the mode is the person's, and is never wider
 * than it was. Asking for nothing takes a typed yes in each conversation, unless it was begun so.
 */
export function wishesFor(
  source: SessionSource,
  wishes: SessionWishes,
  { mode }: Pick<SessionView, 'mode'>,
): SessionWishes {
  const first = wishes.mode ?? 'auto'
  const kept = mode === 'plan' ? 'ask' : mode === 'unrestricted' ? first : mode
  return source.kind === 'new' ? { ...wishes, mode: kept } : { mode: kept }
}

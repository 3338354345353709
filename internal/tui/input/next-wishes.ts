// The user's choices on this screen, and those that apply to its next conversation. Pure.
import type { SessionSource, SessionWishes } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import type { SessionView } from '../../session/view/session-view.ts'

/** Returns the choices after an accepted command. */
export function rememberWish(wishes: SessionWishes, command: SessionCommand): SessionWishes {
  if (command.type === 'set_model') return { ...wishes, model: command.model }
  if (command.type === 'set_profile') return { ...wishes, profile: command.name }
  return wishes
}

/**
 * Returns the choices for the next conversation. A resumed thread keeps its profile, model and tools. The
 * mode carries over, but plan becomes ask. The unrestricted mode becomes the mode with which the program was
 * started, because it must be confirmed again in each conversation.
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

// The user's choices on this screen (model, profile, mode, tools), and those that apply to its next
// conversation. The functions are pure.
import type { SessionSource, SessionWishes } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import type { SessionView } from '../../session/view/session-view.ts'

/**
 * Returns the user's choices after a command that the session has accepted. Only commands that set the model
 * or the profile change them.
 */
export function rememberWish(wishes: SessionWishes, command: SessionCommand): SessionWishes {
  if (command.type === 'set_model') return { ...wishes, model: command.model }
  if (command.type === 'set_profile') return { ...wishes, profile: command.name }
  return wishes
}

/**
 * Returns the choices for the next conversation. A resumed or copied thread keeps its profile, model and
 * tools, so only the current mode applies to it. Plan becomes ask. Unrestricted becomes the mode with which
 * Anode was started (default auto), because it must be confirmed again in each conversation.
 */
export function wishesFor(
  source: SessionSource,
  wishes: SessionWishes,
  { mode }: Pick<SessionView, 'mode'>,
): SessionWishes {
  const first = wishes.mode ?? 'auto'
  const nextMode = mode === 'plan' ? 'ask' : mode === 'unrestricted' ? first : mode
  return source.kind === 'new' ? { ...wishes, mode: nextMode } : { mode: nextMode }
}

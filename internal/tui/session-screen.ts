// Opens a session's screen in the form of its options: plain, inline or full.
import type { SessionClient, SessionService } from '../session/client.ts'
import type { SessionIo, SessionScreen, SessionScreenOptions } from './screen-options.ts'

/** Opens the screen of a session. Only the module of the chosen form is loaded. */
export async function openSessionScreen(
  client: SessionClient,
  service: SessionService,
  io: SessionIo,
  options: SessionScreenOptions,
): Promise<SessionScreen> {
  if (options.form !== 'plain') {
    const { openInlineScreen } = await import('./inline/inline-screen.ts')
    return openInlineScreen(client, service, io, options)
  }
  const { openPlainScreen } = await import('./plain/plain-screen.ts')
  return openPlainScreen(client, service, io, options)
}

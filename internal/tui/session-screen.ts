// The screen of a session, in the form that the terminal allows.
import type { SessionClient, SessionService } from '../session/client.ts'
import type { SessionIo, SessionScreen, SessionScreenOptions } from './screen-options.ts'

/** Opens the screen and loads only the module of its form. */
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

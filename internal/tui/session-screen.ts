// The screen of a session: picks the form that the terminal allows, and runs it until the person leaves.
import type { SessionClient, SessionService } from '../session/client.ts'
import type { SessionIo, SessionScreen, SessionScreenOptions } from './screen-options.ts'

/** Loads only the form that is drawn. */
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

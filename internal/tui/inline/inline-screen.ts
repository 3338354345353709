// The inline screen of a session: events become lines above the live rows, keys become commands.
import type { SessionClient, SessionService } from '../../session/client.ts'
import type { SessionIo, SessionScreen, SessionScreenOptions } from '../screen-options.ts'
import { runInlineSession } from './inline-session.ts'

/** The person may go on with other threads before leaving. */
export function openInlineScreen(
  client: SessionClient,
  service: SessionService,
  io: SessionIo,
  options: SessionScreenOptions,
): SessionScreen {
  let current = client
  return {
    thread: () => current.thread,
    async run() {
      let outcome = await runInlineSession(current, service, io, options)
      while (outcome.kind === 'open') {
        const next = await service.openSession(outcome.source, {}).catch((error: unknown) => error)
        const notes = next instanceof Error ? [next.message] : []
        const isOpened = !(next instanceof Error)
        if (isOpened) {
          await current.detach()
          current = next as SessionClient
        }
        const { text } = outcome
        const more = isOpened && text !== undefined ? { text } : {}
        outcome = await runInlineSession(current, service, io, {
          ...options,
          ...{ firstMessage: undefined, isTrustKnown: true },
          notes,
          ...more,
        })
      }
      await current.detach()
      return outcome.code
    },
  }
}

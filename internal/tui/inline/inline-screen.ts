// The inline screen of a session. It shows one conversation after another until the user leaves.
import type { SessionClient, SessionService } from '../../session/client.ts'
import type { SessionIo, SessionScreen, SessionScreenOptions } from '../screen-options.ts'
import { runInlineSession } from './inline-session.ts'

/** Opens the inline screen. The user may open other threads before leaving. */
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
        await current.detach()
        current = outcome.client
        const { text, wishes, form, theme } = outcome
        outcome = await runInlineSession(current, service, io, {
          ...options,
          firstMessage: undefined,
          isTrustKnown: true,
          notes: [],
          wishes,
          form,
          theme,
          text: text === '' ? options.text : text,
        })
      }
      await current.detach()
      return outcome.code
    },
  }
}

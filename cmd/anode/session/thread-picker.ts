// Picks the thread to go on with, at the terminal.
import { UserError } from '../../../internal/base/errors.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { SessionService, SessionSource } from '../../../internal/session/client.ts'
import { pickThreadOnScreen } from '../../../internal/tui/page/thread-screen.ts'
import type { SessionIo, SessionScreenOptions } from '../../../internal/tui/screen-options.ts'
import type { CommandIo } from '../verb.ts'

/** Undefined when the person picks none; throws UserError where there is none. */
export async function pickThread(
  service: SessionService,
  io: CommandIo,
  screen: SessionIo,
  { form, theme }: Pick<SessionScreenOptions, 'form' | 'theme'>,
): Promise<SessionSource | undefined> {
  const [newest] = await service.listThreads({ limit: 1 })
  if (!newest) throw new UserError('this workspace has no thread yet', { hint: '`anode` begins one' })
  if (form === 'plain') return pickByNumber(service, io)
  const picked = await pickThreadOnScreen(service, screen, theme)
  return picked && { kind: picked.isCopy ? 'fork' : 'resume', thread: picked.thread }
}

/** Without a cursor that moves. */
async function pickByNumber(service: SessionService, io: CommandIo): Promise<SessionSource | undefined> {
  const threads = await service.listThreads({ limit: 50 })
  const { select, isCancel } = await import('@clack/prompts')
  const chosen = await select({
    message: 'Go on with which thread?',
    input: io.stdin,
    output: io.stdout.stream,
    maxItems: 12,
    options: threads.map(({ thread, title, updated }) => ({
      value: thread,
      label: sanitizeText(title),
      hint: new Date(updated).toISOString().slice(0, 16).replace('T', ' '),
    })),
  })
  return isCancel(chosen) ? undefined : { kind: 'resume', thread: chosen }
}

// The selection, on the terminal, of the thread to resume.
import { UserError } from '../../../internal/base/errors.ts'
import type { SessionService, SessionSource } from '../../../internal/session/client.ts'
import { threadFacts } from '../../../internal/tui/dialog/palette.ts'
import { askNumbered } from '../../../internal/tui/numbered-prompt.ts'
import { pickThreadOnScreen } from '../../../internal/tui/page/thread-screen.ts'
import type { SessionIo, SessionScreenOptions } from '../../../internal/tui/screen-options.ts'
import type { CommandIo } from '../verb.ts'

/**
 * Lets the user select a thread, and returns it or a copy of it to resume. Returns undefined if the user
 * cancels. Throws UserError if the workspace has no threads.
 */
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

/**
 * Asks for the number of one of the 50 latest threads, for terminals without cursor movement. Returns
 * undefined if the user enters none.
 */
async function pickByNumber(service: SessionService, io: CommandIo): Promise<SessionSource | undefined> {
  const threads = await service.listThreads({ limit: 50 })
  const now = Date.now()
  const question = 'Which thread do you want to resume?'
  const options = threads.map((thread) => ({
    id: thread.thread,
    label: thread.title === '' ? thread.thread : thread.title,
    description: threadFacts(thread, now).join(', '),
  }))
  io.stdout.write(`${question}\n`)
  const userQuestion = { id: 'thread', question, options, allowFreeform: false, required: false }
  const terminal = { input: io.stdin, output: io.stdout.stream }
  const answer = await askNumbered(userQuestion, io.signal, terminal)
  return answer?.option === undefined ? undefined : { kind: 'resume', thread: answer.option }
}

// The check that a thread which is resumed without a message has work left.
import { UserError } from '../../../internal/base/errors.ts'
import type { RunOptions } from '../../../internal/runtime/run/run-options.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import type { CommandIo } from '../verb.ts'
import { noTaskError } from './task-text.ts'

/**
 * Throws UserError without a thread to resume, or if its last run is done, because the model would then only
 * repeat the last answer. A fork (a copy of the thread) is always accepted.
 */
export async function assertUnfinished(
  resume: RunOptions['resume'],
  { env }: Pick<CommandIo, 'env'>,
): Promise<void> {
  if (!resume) throw noTaskError()
  const { thread, fork } = resume
  if (fork) return
  const last = await withDataStore(env, ({ threads }) =>
    threads.tail(thread, 1, ['run.ended', 'message', 'system.init']).at(-1),
  )
  if (last?.type !== 'run.ended' || last.payload.end !== 'done') return
  throw new UserError('no message was given, and the last run of the thread is done', {
    hint: `anode execute --resume ${thread} "what to do next"; anode threads show ${thread} shows the answer`,
  })
}

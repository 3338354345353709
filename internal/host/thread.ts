// The thread of a run: new, resumed or forked, and the conversation that its events make.
import { fold, interrupted, openCalls } from '../agent/conversation.ts'
import type { Recorder } from '../agent/recorder.ts'
import type { Content, ModelMessage } from '../model/model.ts'
import type { Profile } from '../profile/profile.ts'
import type { Store } from '../store/store.ts'
import type { RunOptions } from './run-options.ts'

export interface Opened {
  thread: string
  messages: ModelMessage[]
  /** Calls that have a result. */
  answered: Set<string>
}

/** Throws UserError for a thread that is not there. */
export function openThread(
  store: Store,
  workspace: string,
  profile: Profile,
  model: string,
  options: RunOptions,
): Opened {
  const messages: ModelMessage[] = []
  const answered = new Set<string>()
  const title = titleOf(options.prompt)
  if (!options.resume) {
    return {
      thread: store.threads.create({ workspace, title, profile: profile.name, model }).id,
      messages,
      answered,
    }
  }
  const { thread: from, fork, at } = options.resume
  const thread = fork
    ? store.threads.create({
        workspace,
        title: `fork of ${from}`,
        profile: profile.name,
        model,
        parent: from,
      }).id
    : from
  for (let after = 0; ; ) {
    const page = store.threads.events(from, after, 200)
    const wanted = at === undefined ? page : page.filter((event) => event.pos <= at)
    for (const event of wanted) fold(messages, event, answered)
    if (fork && wanted.length > 0)
      store.threads.append(
        thread,
        wanted[0]?.run_id ?? '',
        wanted.map(({ id: _, ...event }) => event),
      )
    const last = page.at(-1)
    if (!last || page.length < 200 || (at !== undefined && last.pos >= at))
      return { thread, messages, answered }
    after = last.pos
  }
}

/** A call that was open when its process died is answered, never run again. */
export async function answerOpen({ messages, answered }: Opened, log: Recorder): Promise<void> {
  for (const call of openCalls(messages, answered)) {
    messages.push({ role: 'tool', callId: call.id, name: call.name, content: interrupted, failed: true })
    await log.append({
      type: 'tool.result',
      payload: { call: call.id, tool: call.name, ok: false, code: 'interrupted', text: interrupted },
    })
  }
}

function titleOf(prompt: Content | undefined): string {
  const text =
    typeof prompt === 'string'
      ? prompt
      : (prompt?.map((part) => (part.type === 'text' ? part.text : '')).join(' ') ?? '')
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line || 'untitled'
}

// Sessions for tests: a workspace, scripted responses, the real local service, and a client that is watched.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createUlid } from '../../internal/base/ids.ts'
import { type LocalService, openLocalService } from '../../internal/service/session/local-service.ts'
import type {
  CommandReply,
  SessionClient,
  SessionEvent,
  SessionSource,
  SessionWishes,
} from '../../internal/session/client.ts'
import type { SessionCommand } from '../../internal/session/commands.ts'
import { foldSessionEvent } from '../../internal/session/view/fold.ts'
import { emptyView, type SessionView } from '../../internal/session/view/session-view.ts'
import { scratchWith } from './scratch.ts'

export interface SessionWorld {
  cwd: string
  /** The data directory. */
  data: string
  service: LocalService
  /** Returns a service as another process would have it. */
  reopen(): Promise<LocalService>
  open(
    source?: SessionSource,
    more?: { service?: LocalService; from?: number } & SessionWishes,
  ): Promise<WatchedClient>
}

export interface WatchedClient {
  client: SessionClient
  events: SessionEvent[]
  view(): SessionView
  send(command: SessionCommand, id?: string): Promise<CommandReply>
  say(text: string): Promise<CommandReply>
  /** Resolves when the view matches. */
  until(seen: (view: SessionView) => boolean, what?: string): Promise<SessionView>
  /** Resolves when nothing runs and the last block is the end of a run. */
  idle(): Promise<SessionView>
}

/** Opens a world. `replies` are the lines of a scripted model. */
export async function sessionWorld(
  replies: readonly object[],
  files: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
): Promise<SessionWorld> {
  const cwd = scratchWith({ 'src/a.ts': 'export const a = 1\n', ...files })
  const home = scratchWith({})
  writeFileSync(join(home, 'replies.jsonl'), replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const env = { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: join(home, 'data'), ...more }
  const reopen = async () => {
    const service = await openLocalService({ cwd, env, addDirs: [], note: () => undefined })
    onTestFinished(() => service.close())
    return service
  }
  const service = await reopen()
  const script = `script:${join(home, 'replies.jsonl')}`
  return {
    cwd,
    data: env.ANODE_DATA_DIR,
    service,
    reopen,
    async open(source = { kind: 'new' }, { service: other = service, from = 0, ...wishes } = {}) {
      return watchClient(await other.openSession(source, { model: script, mode: 'ask', ...wishes }), from)
    },
  }
}

export function watchClient(client: SessionClient, after = 0): WatchedClient {
  const events: SessionEvent[] = []
  let view = emptyView(client.thread)
  const wake: (() => void)[] = []
  const stop = new AbortController()
  const reading = (async () => {
    for await (const event of client.readEvents(after, stop.signal)) {
      events.push(event)
      view = foldSessionEvent(view, event)
      for (const go of wake.splice(0)) go()
    }
  })()
  onTestFinished(async () => {
    stop.abort()
    await reading
    await client.detach()
  })
  const until = async (seen: (view: SessionView) => boolean, what = String(seen)) => {
    const end = Date.now() + 100_000
    while (!seen(view)) {
      const left = end - Date.now()
      if (left <= 0) expect.fail(`never came: ${what}\n${JSON.stringify(view.blocks.slice(-5), null, 1)}`)
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake.push(resolve)
        timer = setTimeout(resolve, left)
      })
      clearTimeout(timer)
    }
    return view
  }
  const send = (command: SessionCommand, id = createUlid()) => client.sendCommand({ id, ...command })
  return {
    client,
    events,
    view: () => view,
    send,
    say: (content) => send({ type: 'say', content }),
    until,
    idle: () =>
      until((now) => now.run === undefined && now.blocks.at(-1)?.kind === 'end', 'the end of a run'),
  }
}

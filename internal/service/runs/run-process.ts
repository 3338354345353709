// Process of one run, which serves a session over a socket until the session is idle and has no clients.
import { chmod, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { FailureError, messageOf, UserError } from '../../base/errors.ts'
import { explainOwnDirectory } from '../../base/files/own-directories.ts'
import { withLocks } from '../../base/files/path-locks.ts'
import { createUlid } from '../../base/ids.ts'
import { processIdentity } from '../../base/process-identity.ts'
import { serveSession, startListening } from '../../server/wire/session-listener.ts'
import type { SessionClient } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import { type LocalService, openLocalService } from '../session/local-service.ts'
import type { RunProcessOrder, RunReply } from './run-order.ts'
import {
  isRunAlive,
  openRunFolder,
  type RunRecord,
  readRunRecord,
  runSocketPath,
  standingPath,
  writeRunRecord,
} from './run-record.ts'
import { describeStanding, keepStandingFile } from './run-standing.ts'
import { refuseUnattended } from './unattended-run.ts'

export interface RunProcessOptions {
  env: EnvironmentVariables
  /** Signal that ends the run. */
  signal: AbortSignal
  /** Sends a reply to the process that started this one. That process waits for the first reply only. */
  reply(reply: RunReply): void
  /** Milliseconds that the process stays when it is idle and has no clients. Default: 1,000. */
  maxIdleMs?: number
}

const usualIdleMs = 1_000

/**
 * Milliseconds up to which a connection is only a query of the state. A longer one is a client, whose end
 * starts the idle time again.
 */
const maxGlanceMs = 500

/**
 * Serves the run. Resolves when it is over and has no clients, or when the signal aborts. If it cannot be
 * served, sends the reply `taken` or `refused` instead of rejecting.
 */
export async function serveRunProcess(order: RunProcessOrder, options: RunProcessOptions): Promise<void> {
  const data = dataDir(options.env)
  const notes: string[] = []
  const { cwd, addDirs, carried } = order
  let service: LocalService | undefined
  try {
    const { tools, limits } = carried ?? {}
    service = await openLocalService({
      cwd,
      env: options.env,
      addDirs,
      note: (text: string) => notes.push(text),
      tools,
      limits,
      carried,
    })
    const client = await service.openSession(order.source, order.settings)
    const watch = watchSession(client)
    const hasBegun = () => order.message === undefined || watch.view().blocks.length > 0
    const listening = await openRunSocket(service, client, { data, cwd, watch, hasBegun })
    if (!listening) return options.reply({ kind: 'taken', thread: client.thread, notes })
    try {
      await beginWork(service, client, order)
      options.reply({ kind: 'started', thread: client.thread, notes })
      const unattended = followUnattended(service, client.thread, listening, watch)
      await untilIdle(listening, watch, options)
      unattended?.stop()
    } finally {
      await listening.close(client)
    }
  } catch (thrown) {
    const error = explainOwnDirectory(thrown, options.env) ?? thrown
    const hint = error instanceof UserError ? error.hint : undefined
    options.reply({ kind: 'refused', message: messageOf(error), hint })
  } finally {
    await service?.close()
  }
}

/**
 * Lets other processes join an open session. Returns a function that resolves when its run is over and has no
 * clients, or when `signal` aborts; undefined if another process serves the thread.
 */
export async function serveOpenSession(
  service: LocalService,
  client: SessionClient,
  { cwd, env, signal }: Pick<RunProcessOptions, 'env' | 'signal'> & { cwd: string },
): Promise<(() => Promise<void>) | undefined> {
  const watch = watchSession(client)
  const data = dataDir(env)
  const listening = await openRunSocket(service, client, { data, cwd, watch, hasBegun: () => true })
  if (!listening) return undefined
  return async () => {
    const unattended = followUnattended(service, client.thread, listening, watch)
    await untilIdle(listening, watch, { signal })
    unattended?.stop()
    await listening.close(client)
  }
}

/** Denies questions that wait too long without a client. Undefined without a configured time. */
function followUnattended(
  service: LocalService,
  thread: string,
  listening: ListeningRun,
  watch: SessionWatch,
) {
  const { unattendedSeconds } = service
  if (unattendedSeconds === undefined) return undefined
  const run = {
    ...listening,
    waiting: () => watch.view().waits.length + watch.view().questions.length,
    refuse: (why: string) => service.refuseWaiting(thread, why),
  }
  const unattended = refuseUnattended(run, unattendedSeconds * 1000)
  watch.listeners.push(unattended.look)
  listening.watchers.push(unattended.look)
  unattended.look()
  return unattended
}

async function beginWork(
  service: LocalService,
  client: SessionClient,
  { message, carried }: RunProcessOrder,
): Promise<void> {
  const say = (content: string) => client.sendCommand({ id: createUlid(), type: 'say', content })
  const reply = carried ? await service.goOn(client.thread) : message !== undefined && (await say(message))
  if (reply && !reply.ok) throw new UserError(reply.message, { hint: reply.hint })
}

interface SessionWatch {
  view(): SessionView
  /** Functions that are called after every event. */
  listeners: (() => void)[]
}

/** Follows the events of the session as a client does, and keeps its current view. */
function watchSession(client: SessionClient): SessionWatch {
  let view = emptyView(client.thread)
  const watch: SessionWatch = { view: () => view, listeners: [] }
  const read = async () => {
    for (;;) {
      try {
        for await (const event of client.readEvents(view.pos, new AbortController().signal)) {
          view = foldSessionEvent(view, event)
          for (const changed of watch.listeners) changed()
        }
        return
      } catch (error) {
        if (!(error instanceof FailureError && error.failure.code === 'lagged')) return
      }
    }
  }
  void read()
  return watch
}

interface ListeningRun {
  clients(): number
  /**
   * When the last client left that was connected for longer than 500 ms, in milliseconds since 1970;
   * 0 before that.
   */
  left(): number
  close(client: SessionClient): Promise<void>
  /** Functions that are called when a client connects or leaves. */
  watchers: (() => void)[]
}

/** Opens the socket of the run. Returns undefined if another process serves the thread. */
async function openRunSocket(
  service: LocalService,
  { thread }: SessionClient,
  { data, cwd, watch, hasBegun }: { data: string; cwd: string; watch: SessionWatch; hasBegun(): boolean },
): Promise<ListeningRun | undefined> {
  const folder = await openRunFolder(data)
  const path = runSocketPath(data, thread)
  const record = recordOf(thread, cwd)
  const standing = keepStandingFile(standingPath(data, thread), record.mark, () =>
    describeStanding(watch.view()),
  )
  let clients = 0
  let leftAt = 0
  const listening: ListeningRun = {
    clients: () => clients,
    left: () => leftAt,
    watchers: [],
    async close(client) {
      server.close()
      await standing.close()
      await client.detach()
      const { blocks, pos, title, profile, model } = watch.view()
      const end = blocks.findLast((block) => block.kind === 'end')
      await rm(path, { force: true })
      // a thread without a message is not stored, so its record is removed
      if (pos === 0) return rm(join(folder, `${thread}.json`), { force: true })
      const how = end ? { end: end.end, reason: end.reason, proof: end.proof } : { end: 'left' }
      const now = { ...record, title, profile, model: model.id }
      await writeRunRecord(data, { ...now, ended: { at: Date.now(), ...how } })
    },
  }
  const changed = () => listening.watchers.map((watcher) => watcher())
  const server = createServer((socket) => {
    const other = service.attach(thread)
    if (!other) return socket.destroy()
    clients++
    changed()
    const came = Date.now()
    void serveSession(other, socket).finally(() => {
      clients--
      if (Date.now() - came > maxGlanceMs) leftAt = Date.now()
      changed()
    })
  })
  return withLocks(folder, [thread], async () => {
    const before = readRunRecord(data, thread)
    if (before && isRunAlive(before)) return undefined
    await rm(path, { force: true })
    await startListening(server, { path })
    await chmod(path, 0o600)
    await writeRunRecord(data, record)
    // Without a state file, lists ask the process itself. The file is written only after the first message.
    const update = () => hasBegun() && watch.view().profile !== '' && standing.update()
    watch.listeners.push(update)
    update()
    return listening
  })
}

const recordOf = (thread: string, workspace: string): RunRecord => ({
  thread,
  workspace,
  title: '',
  profile: '',
  model: '',
  pid: process.pid,
  mark: processIdentity(),
  started: Date.now(),
})

/**
 * Resolves when the run has been idle and without clients for `maxIdleMs`, or when `signal` aborts. A
 * connection of at most 500 ms does not extend this time. A run that waits for an answer is not idle.
 */
async function untilIdle(
  listening: ListeningRun,
  watch: SessionWatch,
  { signal, maxIdleMs = usualIdleMs }: Pick<RunProcessOptions, 'signal' | 'maxIdleMs'>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let busy = Date.now()
  await new Promise<void>((resolve) => {
    const look = () => {
      clearTimeout(timer)
      if (signal.aborted) return resolve()
      if (listening.clients() > 0 || busy === Number.POSITIVE_INFINITY) return
      const since = Date.now() - Math.max(busy, listening.left())
      if (since >= maxIdleMs) resolve()
      else timer = setTimeout(look, maxIdleMs - since)
    }
    const lookAtRun = () => {
      const { run, calls } = watch.view()
      if (run || calls.length > 0) {
        busy = Number.POSITIVE_INFINITY
        return clearTimeout(timer)
      }
      if (busy === Number.POSITIVE_INFINITY) busy = Date.now()
      look()
    }
    watch.listeners.push(lookAtRun)
    listening.watchers.push(look)
    signal.addEventListener('abort', look, { once: true })
    lookAtRun()
    if (signal.aborted) look()
  })
  clearTimeout(timer)
}

// One run of a server from handshake to end: its files, diagnostics and answers.

import { pathToFileURL } from 'node:url'
import { FailureError } from '../base/errors.ts'
import { objectOf } from '../base/untrusted-json.ts'
import type { SpawnProcess } from '../process/process-command.ts'
import type { WrittenFile } from '../tool/lsp.ts'
import { type LspServerEntry, languageOf } from './config/server-entry.ts'
import {
  type DiagnosticBoard,
  type DiagnosticStanding,
  openBoard,
  type ServerDiagnostic,
} from './diagnostics/diagnostic-board.ts'
import { pullOf } from './diagnostics/diagnostic-pull.ts'
import { type DocumentStore, type OpenDocument, openDocuments } from './open-documents.ts'
import { connectServer, type LspClient } from './protocol/lsp-client.ts'
import { pathOf } from './protocol/protocol-values.ts'
import { awaitWithin, startAlarm, type WaitLimit } from './wait-limit.ts'

export interface LspSession {
  readonly client: LspClient
  readonly documents: DocumentStore
  readonly board: DiagnosticBoard
  /**
   * Sends changes of all open files to the server and opens the file `path`, within `limit`.
   * Rejects with FailureError.
   */
  sync(path: string, limit: WaitLimit): Promise<OpenDocument>
  /**
   * Waits until the diagnostics of the file on disk are complete. At the end of the time it returns an empty
   * list and how complete the diagnostics are. Rejects like `sync`.
   */
  diagnose(path: string, limit: WaitLimit): Promise<DiagnosticState>
  /**
   * Waits until the server has analyzed the file `path`, as a sign that the server knows the project. The
   * limit is 10 seconds or `limit`, if that is shorter. All calls share the wait and the limit of the first
   * one; an error ends it, and the next call waits again. Never rejects.
   */
  warm(path: string, limit: WaitLimit): Promise<void>
  /** Milliseconds since the handshake. */
  age(): number
  /** Informs the server about written files, open or not. Returns at once and never throws. */
  touched(files: readonly WrittenFile[]): void
}

export interface DiagnosticState {
  standing: DiagnosticStanding
  list: ServerDiagnostic[]
  before: ServerDiagnostic[] | undefined
  document: OpenDocument
}

/** Longest time in milliseconds for the handshake of a server. */
const helloMs = 30_000

/**
 * Starts the program and connects; `signal` stops it at any time. Rejects with FailureError and
 * leaves no process.
 */
export async function openLspSession(
  entry: LspServerEntry,
  root: string,
  spawn: SpawnProcess,
  signal: AbortSignal,
): Promise<LspSession> {
  const { program: file, args, env: extraEnv, sandboxRequest: sandbox } = entry
  const child = await spawn({ file, args, cwd: root, extraEnv, signal, sandbox })
  let board: DiagnosticBoard | undefined
  const early: unknown[] = []
  const onRefresh = () => board?.takeBack()
  const onDiagnostics = (params: unknown) => {
    if (board) pushDiagnostics(board, params)
    else if (early.length < 100) early.push(params)
  }
  const { name, initializationOptions, settings } = entry
  const client = await connectServer({
    name,
    root,
    child,
    timeoutMs: helloMs,
    signal,
    onDiagnostics,
    onRefresh,
    initializationOptions,
    settings,
  }).catch(async (error: unknown) => {
    await child.stop()
    throw error
  })
  board = openBoard(() => pullOf(client) !== undefined)
  for (const params of early) pushDiagnostics(board, params)
  return new ServerSession(client, board, entry)
}

const changeTypes = { created: 1, changed: 2, removed: 3 } as const

class ServerSession implements LspSession {
  readonly client: LspClient
  readonly documents: DocumentStore
  readonly board: DiagnosticBoard
  readonly #entry: LspServerEntry
  readonly #born = performance.now()
  /** Queue of the updates of open files, because two concurrent calls must not both open a file. */
  #turn: Promise<unknown> = Promise.resolve()
  #warmth: Promise<void> | undefined

  constructor(client: LspClient, board: DiagnosticBoard, entry: LspServerEntry) {
    this.client = client
    this.board = board
    this.documents = openDocuments(client.notify)
    this.#entry = entry
  }

  async sync(path: string, limit: WaitLimit): Promise<OpenDocument> {
    const work = this.#turn.then(() => this.#open(path))
    this.#turn = work.catch(() => undefined)
    return awaitWithin(work, limit, `handing the file to ${this.#entry.name}`)
  }

  async diagnose(path: string, limit: WaitLimit): Promise<DiagnosticState> {
    const { board } = this
    const over = startAlarm(limit)
    const deadline = performance.now() + limit.timeoutMs
    const remainingLimit = () => ({ ...limit, timeoutMs: Math.max(1, deadline - performance.now()) })
    try {
      let lastQuestion = ''
      for (;;) {
        // each round reads the file again, because it may change while the server is working
        const document = { ...(await this.sync(path, remainingLimit())) }
        const { standing, settled, retryMs } = board.standing(path, document.version)
        const stand = { standing, list: settled?.list ?? [], before: settled?.before, document }
        if (standing === 'fresh' || over.signal.aborted) return stand
        // each round checks again whether the server accepts diagnostic requests, because it may register for
        // them only after a while
        const question = `${document.version} ${pullOf(this.client) !== undefined} ${board.epoch()}`
        if (lastQuestion !== question) {
          lastQuestion = question
          await this.#ask(document, remainingLimit()).catch(pardonTimeout)
        } else {
          await awaitNews(board, Math.min(retryMs ?? pollMs, pollMs), over.signal)
        }
      }
    } finally {
      over.done()
    }
  }

  warm(path: string, limit: WaitLimit): Promise<void> {
    const timeoutMs = Math.min(limit.timeoutMs, warmMs)
    this.#warmth ??= this.diagnose(path, { ...limit, timeoutMs }).then(() => undefined)
    return this.#warmth.catch(() => {
      this.#warmth = undefined
    })
  }

  age(): number {
    return performance.now() - this.#born
  }

  touched(files: readonly WrittenFile[]): void {
    const changes = files.map(({ path, kind }) => ({
      uri: pathToFileURL(path).href,
      type: changeTypes[kind],
    }))
    this.client.notify('workspace/didChangeWatchedFiles', { changes }).catch(() => undefined)
  }

  async #open(path: string): Promise<OpenDocument> {
    const language = (file: string) => languageOf(this.#entry, file)
    await this.documents.refresh(language)
    const document = await this.documents.sync(path, language(path) ?? 'plaintext')
    this.board.begin(path, document.version)
    return document
  }

  async #ask({ uri, version, path }: OpenDocument, limit: WaitLimit): Promise<void> {
    const { board, client } = this
    const pull = pullOf(client)
    if (pull) {
      const epoch = board.epoch()
      const list = await pull(uri, limit)
      // a list that the server has invalidated meanwhile is dropped and requested again
      if (epoch === board.epoch()) board.settle(path, version, list)
      return
    }
    await client.request(...createBarrier(client, uri), limit).catch((error: unknown) => {
      // an error of the server is ignored, because only the arrival of an answer matters
      if (!(error instanceof FailureError) || error.failure.code !== 'io') throw error
    })
    board.acknowledge(path, version)
  }
}

/**
 * Longest time in milliseconds that a server gets to read the project before the first query that concerns
 * other files of the project.
 */
const warmMs = 10_000

/**
 * Longest pause in milliseconds between two looks at the file and the server while diagnostics are awaited.
 */
const pollMs = 200

function pardonTimeout(error: unknown): void {
  if (!(error instanceof FailureError) || error.failure.code !== 'timeout') throw error
}

/** Returns a cheap request: a server that answers in order has then processed everything sent before it. */
function createBarrier(client: LspClient, uri: string): [string, unknown] {
  const textDocument = { uri }
  if (client.capabilities.documentSymbolProvider) return ['textDocument/documentSymbol', { textDocument }]
  return ['textDocument/hover', { textDocument, position: { line: 0, character: 0 } }]
}

/** Waits for the next change of the diagnostics, at most `timeoutMs` or until `signal` aborts. */
async function awaitNews(board: DiagnosticBoard, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { signal: late, done } = startAlarm({ timeoutMs, signal })
  await board.news(late)
  done()
}

function pushDiagnostics(board: DiagnosticBoard, params: unknown): void {
  const published = objectOf(params)
  const path = pathOf(published?.uri)
  const version = published?.version
  if (path?.startsWith('/')) {
    board.push(path, Number.isInteger(version) ? (version as number) : undefined, published?.diagnostics)
  }
}

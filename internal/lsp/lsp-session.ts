// One life of a server, from its handshake to its end: its files, its diagnostics, its answers.

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
   * Files that the server has open follow the disk; this one is opened. Bounded by `limit`; rejects with
   * FailureError.
   */
  sync(path: string, limit: WaitLimit): Promise<OpenDocument>
  /**
   * Waits for diagnostics of what is on disk now; what is known when the time is over. Rejects like `sync`.
   */
  diagnose(path: string, limit: WaitLimit): Promise<DiagnosticState>
  /**
   * The first time: until the server has looked at a file, which it can only do when it knows the project.
   */
  warm(path: string, limit: WaitLimit): Promise<void>
  /** Milliseconds since the handshake. */
  age(): number
  /** Says which files were written, open ones or not; never waits, never fails. */
  touched(files: readonly WrittenFile[]): void
}

export interface DiagnosticState {
  standing: DiagnosticStanding
  list: ServerDiagnostic[]
  before: ServerDiagnostic[] | undefined
  document: OpenDocument
}

/** A server that has not said hello by then never will. */
const helloMs = 30_000

/**
 * Starts the program and shakes hands; `signal` ends it at any time. Rejects with FailureError; then nothing
 * of it is left.
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
  /** Two calls at once must not both open a file. */
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
    const left = () => ({ ...limit, timeoutMs: Math.max(1, deadline - performance.now()) })
    try {
      let asked = ''
      for (;;) {
        // the file may change while the server thinks
        const document = { ...(await this.sync(path, left())) }
        const { standing, settled, retryMs } = board.standing(path, document.version)
        const stand = { standing, list: settled?.list ?? [], before: settled?.before, document }
        if (standing === 'fresh' || over.signal.aborted) return stand
        // a server may say only after a while that it can be asked
        const question = `${document.version} ${pullOf(this.client) !== undefined} ${board.epoch()}`
        if (asked !== question) {
          asked = question
          await this.#ask(document, left()).catch(pardonTimeout)
        } else {
          await pause(board, Math.min(retryMs ?? pollMs, pollMs), over.signal)
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
      // what the server has taken back meanwhile is asked for again
      if (epoch === board.epoch()) board.settle(path, version, list)
      return
    }
    await client.request(...barrier(client, uri), limit).catch((error: unknown) => {
      // that it answers is what counts; what it answers does not
      if (!(error instanceof FailureError) || error.failure.code !== 'io') throw error
    })
    board.acknowledge(path, version)
  }
}

/** What a server gets for reading the project before the first question is put. */
const warmMs = 10_000

/** How often to look whether a server has become able to be asked. */
const pollMs = 200

function pardonTimeout(error: unknown): void {
  if (!(error instanceof FailureError) || error.failure.code !== 'timeout') throw error
}

/** Any cheap request: a server that answers in order has then taken note of what was sent before. */
function barrier(client: LspClient, uri: string): [string, unknown] {
  const textDocument = { uri }
  if (client.capabilities.documentSymbolProvider) return ['textDocument/documentSymbol', { textDocument }]
  return ['textDocument/hover', { textDocument, position: { line: 0, character: 0 } }]
}

/** Until the next news, at most so long. */
async function pause(board: DiagnosticBoard, timeoutMs: number, signal: AbortSignal): Promise<void> {
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

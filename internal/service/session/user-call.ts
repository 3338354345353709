// Calls that the user makes in a session, such as shell commands and reads of mentioned files. Deny rules
// apply to them. The record marks them as calls of the user.
import { contentWithMedia } from '../../agent/messages.ts'
import { messageOf } from '../../base/errors.ts'
import { invokeAsUser } from '../../runtime/run/invoke-as-user.ts'
import type { FileMention } from '../../session/commands.ts'
import type { CallRequest, CallResult } from '../../tool/invoke.ts'
import type { AgentSettings } from './agent-settings.ts'
import type { SessionMessage } from './message-queue.ts'
import type { ModelNotes } from './model-notes.ts'
import type { SessionCalls } from './session-calls.ts'
import type { OpenedSessionThread } from './session-thread.ts'
import type { SessionRuntime } from './startup/session-runtime.ts'

interface UserCallParts {
  runtime: SessionRuntime
  settings: AgentSettings
  calls: SessionCalls
  notes: ModelNotes
}

/**
 * Names of files, such as PDF files and images, that the tool `look_at` shows and the tool `read` does not.
 */
const mediaName = /\.(?:pdf|docx|xlsx|pptx|od[tsp]|epub|png|jpe?g|gif|webp)$/i

/**
 * Maximum bytes of a mentioned text file that are sent with a message. The model can read the rest
 * with a tool.
 */
const maxMentionBytes = 65_536
const maxMentionNames = 200

/**
 * Maximum milliseconds that a shell command of the user may run: 30 minutes, the most that the
 * tool `bash` allows.
 */
const maxShellMs = 1_800_000

export class UserCalls {
  readonly #parts: UserCallParts

  constructor(parts: UserCallParts) {
    this.#parts = parts
  }

  /** Adds notes for the model with the files that a message names and the documents attached to it. */
  async readAttachments(
    thread: OpenedSessionThread,
    message: Pick<SessionMessage, 'files' | 'documents'> | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { notes, settings } = this.#parts
    for (const file of message?.files ?? []) await this.#readMention(thread, file, signal)
    const { documents = [] } = message ?? {}
    if (documents.length === 0) return
    const { describeDocument } = await import('./mentions/document-note.ts')
    for (const document of documents)
      notes.add(await describeDocument(document, settings.agent.model, signal))
  }

  /**
   * Adds a note with the result of a tool call that reads the file or lists the directory, at most 200 names.
   * An error of the call becomes the note too.
   */
  async #readMention(
    thread: OpenedSessionThread,
    { path, startLine, endLine }: FileMention,
    signal: AbortSignal,
  ): Promise<void> {
    const isFolder = path.endsWith('/')
    const lines = { ...(startLine && { start_line: startLine }), ...(endLine && { end_line: endLine }) }
    const request = isFolder
      ? { name: 'glob', args: { pattern: '**/*', path, limit: maxMentionNames } }
      : mediaName.test(path)
        ? { name: 'look_at', args: { path } }
        : { name: 'read', args: { path, max_bytes: maxMentionBytes, ...lines } }
    const { text, media = [] } = await this.#call(thread, request, signal)
    const note = `[${isFolder ? 'folder' : 'file'} ${oneLine(path)}]\n${text}`
    this.#parts.notes.add(contentWithMedia(note, media, this.#parts.settings.agent.model))
  }

  /** Adds a note with the instructions of a skill. The record shows this as a call of the user. */
  async readSkill(
    thread: OpenedSessionThread,
    args: { name: string; input: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { text } = await this.#call(thread, { name: 'skill', args }, signal)
    this.#parts.notes.add(`[the user asks for this skill]\n${text}`)
  }

  /**
   * Starts a command. If `tell` is true, its output becomes a note for the model. `onEnd` is called after the
   * command has ended. Resolves when the command has started.
   */
  async runShell(
    thread: OpenedSessionThread,
    { line, tell }: { line: string; tell: boolean },
    onEnd: () => Promise<void>,
  ): Promise<void> {
    const { notes, calls, runtime } = this.#parts
    // if the runtime cannot be opened, the command does not start
    await runtime.open()
    const stop = new AbortController()
    const request = { name: 'bash', args: { command: line, timeout_ms: maxShellMs } }
    const callEnd = this.#call(thread, request, stop.signal)
      .then(async ({ text }) => {
        if (tell) notes.add(`[the user ran: ${line}]\n${text}`)
        await onEnd()
      })
      .catch((error: unknown) => reportError(thread, error))
      .finally(() => calls.byUser.delete(call))
    const call = { stop, ended: callEnd }
    calls.byUser.add(call)
  }

  /** Calls a tool as the user and returns the result. Errors of the tool are results. */
  async #call(thread: OpenedSessionThread, request: CallRequest, signal: AbortSignal): Promise<CallResult> {
    const runtime = await this.#parts.runtime.open()
    const { conversation, record } = thread
    const baseCtx = await runtime.ctx({
      thread: conversation.thread,
      profile: this.#parts.settings.agent.profile,
      log: record,
      ask: async () => ({ allow: false, why: 'no question is asked' }),
      warn: (text) => void record.append({ type: 'model.notice', payload: { code: 'note', text } }),
      signal,
    })
    const { seen: seenFiles, nextCall } = conversation
    const ctx = this.#parts.calls.adaptCtx({
      ...baseCtx,
      signal,
      seen: seenFiles,
      gate: { ...baseCtx.gate, nextCall },
    })
    const result = await invokeAsUser(runtime, ctx, request)
    record.flush()
    return result
  }
}

/** Returns a name with escaped line ends, so that the model reads it as one line. */
const oneLine = (path: string) => JSON.stringify(path).slice(1, -1)

const reportError = (thread: OpenedSessionThread, error: unknown) =>
  thread.record.append({ type: 'model.notice', payload: { code: 'error', text: messageOf(error) } })

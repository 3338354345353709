// The files of the editor, over its requests `fs/read_text_file` and `fs/write_text_file`.
import { existsSync } from 'node:fs'
import {
  type AgentContext,
  type FileSystemCapabilities,
  type ReadTextFileResponse,
  RequestError,
} from '@agentclientprotocol/sdk/unstable'
import { FailureError, messageOf } from '../base/errors.ts'
import { timeLimit } from '../base/time-limit.ts'
import type { EditorFiles } from '../tool/editor-files.ts'

/**
 * Milliseconds to wait for the editor's answer. Without an answer, a read uses the file on disk, and
 * a write fails.
 */
const maxReplyMs = 10_000

/**
 * Returns the files of the editor; undefined if the editor offers no reading. `session` returns the id of the
 * session and is called for each request.
 */
export function openClientFiles(
  peer: AgentContext,
  offered: FileSystemCapabilities | undefined,
  session: () => string,
): EditorFiles | undefined {
  if (offered?.readTextFile !== true) return undefined
  const options = (signal: AbortSignal) => ({
    cancellationSignal: AbortSignal.any([signal, timeLimit(maxReplyMs)]),
    stopWaitingOnCancel: true,
  })
  return {
    async read(path, signal) {
      // an editor that is asked for a file that does not exist shows the user an error
      if (!existsSync(path)) return undefined
      try {
        const params = { sessionId: session(), path }
        const reply = await peer.request<ReadTextFileResponse>('fs/read_text_file', params, options(signal))
        return typeof reply.content === 'string' ? reply.content : undefined
      } catch {
        // a file that the editor cannot read is read from the disk
        return undefined
      }
    },
    ...(offered.writeTextFile === true && {
      async write(path, content, signal) {
        try {
          await peer.request('fs/write_text_file', { sessionId: session(), path, content }, options(signal))
        } catch (error) {
          const message =
            error instanceof RequestError
              ? `the editor refused to write ${path}: ${messageOf(error)}`
              : `the editor did not write ${path}: ${messageOf(error)}`
          const hint = 'the file is unchanged; ask the user why, or write it to another path'
          throw new FailureError({ code: 'io', message, hint }, error)
        }
      },
    }),
  }
}

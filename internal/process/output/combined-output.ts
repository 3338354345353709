// Both output streams of a child in order of arrival: a view in memory and, on request, all of it in a file.
import { Buffer } from 'node:buffer'
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs'
import type { SpooledOutput } from '../process-command.ts'
import { captureOutput, type OutputCapture, tornLength } from './output-capture.ts'

type StreamName = 'stdout' | 'stderr'

interface CombinedOutput {
  push(chunk: Uint8Array, stream: StreamName): void
  /** Adds the stored bytes of incomplete characters. Call it once, after the last chunk. */
  finish(): void
  readonly capture: OutputCapture
  /**
   * Returns the output from `file` if it exceeded the limit for memory; otherwise, and without
   * a file, undefined.
   */
  whole(): SpooledOutput | undefined
}

/**
 * Largest number of bytes of one command's output that are written to disk. Further output is only kept in
 * memory, as far as it fits there.
 */
const spoolMax = 64 * 1024 * 1024

/**
 * Creates an empty output for both streams. At most `limit` bytes stay in memory. A larger output also goes
 * to `file`, up to `max` bytes; the file is created then, with mode 0600.
 */
export function combineOutput(limit: number, file?: string, max: number = spoolMax): CombinedOutput {
  const view = captureOutput(limit)
  const spool = file === undefined ? undefined : spoolInto(file, max)
  const torn: Record<StreamName, Uint8Array> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }

  const append = (chunk: Uint8Array) => {
    if (spool && view.bytes <= limit && view.bytes + chunk.length > limit) {
      const { head, tail } = view.held()
      spool.write(head)
      spool.write(tail)
    }
    view.push(chunk)
    if (view.bytes > limit) spool?.write(chunk)
  }
  return {
    capture: view,
    push(chunk, stream) {
      // The bytes of an incomplete character wait for its rest, so that output of the other stream
      // cannot split it.
      const held = torn[stream]
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const rest = tornLength(bytes)
      torn[stream] = rest === 0 ? Buffer.alloc(0) : Uint8Array.from(bytes.subarray(bytes.length - rest))
      append(rest === 0 ? bytes : bytes.subarray(0, bytes.length - rest))
    },
    finish() {
      for (const stream of ['stdout', 'stderr'] as const) if (torn[stream].length > 0) append(torn[stream])
      spool?.close()
    },
    whole: () => (spool && view.bytes > limit ? wholeOf(view, spool) : undefined),
  }
}

interface Spool {
  readonly file: string
  readonly bytes: number
  write(chunk: Uint8Array): void
  close(): void
}

/**
 * Returns a writer that creates `file` with the first bytes. After `max` bytes, or once a write fails, it
 * writes no more but reports no error; the result shows how much is missing.
 */
function spoolInto(file: string, max: number): Spool {
  let fd: number | undefined
  let bytes = 0
  let full = false
  const close = () => {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
  }
  return {
    file,
    get bytes() {
      return bytes
    },
    write(chunk) {
      if (full) return
      const part = chunk.subarray(0, max - bytes)
      try {
        fd ??= openSync(file, 'wx', 0o600)
        for (let at = 0; at < part.length; ) {
          const written = writeSync(fd, part, at)
          at += written
          bytes += written
        }
      } catch {
        full = true
      }
      full ||= bytes >= max
      if (full) close()
    },
    close,
  }
}

function wholeOf(view: OutputCapture, spool: Spool): SpooledOutput {
  const total = view.bytes
  const { tail } = view.held()
  const missing = Math.max(0, total - spool.bytes - tail.length)
  return {
    bytes: total,
    cut: missing > 0,
    async *text() {
      const decoder = new TextDecoder()
      if (spool.bytes > 0) {
        for await (const chunk of createReadStream(spool.file, { highWaterMark: 256 * 1024 })) {
          yield decoder.decode(chunk as Buffer, { stream: true })
        }
      }
      if (missing > 0) yield `${decoder.decode()}\n… ${missing} bytes left out …\n`
      const rest = Math.min(tail.length, total - spool.bytes)
      yield decoder.decode(tail.subarray(tail.length - rest))
    },
    remove: () => rmSync(spool.file, { force: true }),
  }
}

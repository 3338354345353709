// Live output of a session's commands for the user's screens, sent at intervals and limited to
// the latest characters.
import { StringDecoder } from 'node:string_decoder'
import { createUlid } from '../../base/ids.ts'
import type { Event } from '../../event/event.ts'

/** Minimum milliseconds between two pieces of output of one call. */
const paceMs = 100
const maxCharacters = 4_096

interface OpenOutput {
  text: string
  skipped: number
  timer: NodeJS.Timeout | undefined
  decoder: StringDecoder
}

/**
 * Returns a function that gets the output of calls and publishes it at most every 100 milliseconds: the
 * latest 4,096 characters since the previous event, and how many characters (or bytes of a large chunk)
 * before them are skipped. If `isWatched` returns false for a call, its output is dropped.
 */
export function createCommandOutput(
  publish: (event: Event) => void,
  isWatched: (call: string) => boolean,
): (call: string, chunk: Uint8Array) => void {
  const open = new Map<string, OpenOutput>()
  const tell = (call: string, output: OpenOutput) => {
    output.timer = undefined
    const { text, skipped } = output
    if (!isWatched(call)) {
      open.delete(call)
      return
    }
    output.text = ''
    output.skipped = 0
    const payload = { call, text, skipped: skipped > 0 ? skipped : undefined }
    publish({ type: 'tool.output', payload, id: createUlid(), run_id: '', seq: 0, ts: Date.now() })
  }
  return (call, chunk) => {
    let output = open.get(call)
    if (!output) {
      output = { text: '', skipped: 0, timer: undefined, decoder: new StringDecoder('utf8') }
      open.set(call, output)
    }
    const callOutput = output
    // only the end of a large chunk is decoded, because only the latest characters are kept
    const tail = chunk.length > maxCharacters * 2 ? chunk.subarray(-maxCharacters * 2) : chunk
    const text = callOutput.text + callOutput.decoder.write(Buffer.from(tail))
    const surplus = Math.max(0, text.length - maxCharacters)
    callOutput.text = text.slice(surplus)
    callOutput.skipped += surplus + (chunk.length - tail.length)
    callOutput.timer ??= setTimeout(() => tell(call, callOutput), paceMs).unref()
  }
}

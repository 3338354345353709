// The terminal of a screen: its keys as they come, its size, what is written to it, and being suspended.
import { StringDecoder } from 'node:string_decoder'
import { openKeyDecoder, type TerminalInput } from './key-decoder.ts'
import { guardTerminalModes, type TerminalModes } from './terminal-modes.ts'
import { unblockOutput } from './unblocked-output.ts'

export interface TerminalStreams {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
  /** How long a lone Escape waits for what would make it another key; absent: 50 ms, over SSH 100. */
  escapeMs?: number | undefined
}

interface TerminalEvents {
  input(event: TerminalInput): void
  /** The size may be another one; also after the program was suspended. */
  resized(): void
  resumed(): void
  /** Nobody can see or type anything any more. */
  gone(): void
  drained(): void
}

export interface TerminalIo {
  readonly modes: TerminalModes
  columns(): number
  rows(): number
  /** Asks the terminal for its size: it may have changed before anybody was told. */
  readSize(): void
  write(text: string): void
  /** Calls `then` once the terminal has taken what was written before. */
  whenTaken(then: () => void): void
  /** What was written has not been taken yet. */
  isBusy(): boolean
  /** Resolves once the terminal has taken everything, or does not for a while. */
  flush(): Promise<void>
  suspend(): void
  /** Nothing is read until what it returns is called; the modes are off meanwhile. */
  lend(): () => void
  close(): void
}

/** How long more may take: behind a lone Escape, within a sequence, of a paste without end. */
const waitMs = { escape: 50, remoteEscape: 100, sequence: 500, paste: 2_000 }

/** A terminal that takes nothing for so long is left as it is. */
const flushMs = 1_000

/**
 * Whoever listened to errors of the output does so no more: the program would end before the draft is kept.
 * `part` see {@link guardTerminalModes}.
 */
export function openTerminalIo(streams: TerminalStreams, part: () => string, on: TerminalEvents): TerminalIo {
  const { output } = streams
  const flow = unblockOutput(output)
  const modes = guardTerminalModes(streams, part)
  let stopKeys = readTerminalKeys(streams, on)
  let unstopped: NodeJS.Timeout | undefined
  const stopHere = () => {
    process.off('SIGTSTP', stopHere)
    modes.restore()
    process.kill(process.pid, 'SIGTSTP')
    // nothing may be able to stop it
    unstopped = setTimeout(goOn, 50)
  }
  // once for each stop: a second frame would stand below what is left of the first
  const goOn = () => {
    clearTimeout(unstopped)
    process.off('SIGTSTP', stopHere).on('SIGTSTP', stopHere)
    modes.restore()
    modes.set()
    on.resumed()
  }
  const stopListening = listenToStreams(streams, on)
  process.on('SIGTSTP', stopHere).on('SIGCONT', goOn)
  modes.set()
  return {
    modes,
    columns: () => output.columns || 80,
    rows: () => output.rows || 24,
    // tells of another size as if it had been told
    readSize: () => (output as { _refreshSize?(): void })._refreshSize?.(),
    write: (text) => void output.write(text),
    whenTaken: (then) => void output.write('', () => then()),
    isBusy: () => output.writableNeedDrain,
    flush: () => flow.flush(flushMs),
    suspend: stopHere,
    lend() {
      stopKeys()
      modes.restore()
      flow.block()
      return () => {
        flow.unblock()
        modes.set()
        stopKeys = readTerminalKeys(streams, on)
      }
    },
    close() {
      stopKeys()
      clearTimeout(unstopped)
      process.off('SIGTSTP', stopHere).off('SIGCONT', goOn)
      stopListening()
      modes.release()
      flow.block()
    },
  }
}

/** Errors of the input stay heard: a terminal may go away at any time. */
function readTerminalKeys({ input, env, escapeMs }: TerminalStreams, on: TerminalEvents): () => void {
  const decoder = openKeyDecoder()
  const utf8 = new StringDecoder('utf8')
  const usual = env.SSH_CONNECTION === undefined ? waitMs.escape : waitMs.remoteEscape
  const waits = { ...waitMs, escape: escapeMs ?? usual }
  let timer: NodeJS.Timeout | undefined
  const pass = (events: readonly TerminalInput[]) => {
    for (const event of events) on.input(event)
    clearTimeout(timer)
    const pending = decoder.pending()
    if (pending === 'none') return
    timer = setTimeout(() => pass(decoder.flush()), waits[pending])
  }
  const read = (chunk: Buffer | string) =>
    pass(decoder.push(typeof chunk === 'string' ? chunk : utf8.write(chunk)))
  input.on('data', read).resume()
  return () => {
    clearTimeout(timer)
    input.off('data', read).pause()
  }
}

/** Passes the end, the readiness and the size of the streams to `on`; the result stops that. */
function listenToStreams({ input, output }: TerminalStreams, on: TerminalEvents): () => void {
  const gone = () => on.gone()
  const drained = () => on.drained()
  const resized = () => on.resized()
  input.on('end', gone).on('close', gone).on('error', gone)
  output.removeAllListeners('error').on('error', gone).on('drain', drained).on('resize', resized)
  // also where it has its old size again: what was drawn meanwhile stands otherwise
  process.on('SIGWINCH', resized)
  return () => {
    process.off('SIGWINCH', resized)
    input.off('end', gone).off('close', gone)
    output.off('drain', drained).off('resize', resized)
  }
}

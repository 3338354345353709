// The terminal of a screen: its keys, its size and its output, and what happens when the
// process is suspended.
import { StringDecoder } from 'node:string_decoder'
import { openKeyDecoder, type TerminalInput } from './key-decoder.ts'
import { guardTerminalModes, type TerminalModes } from './terminal-modes.ts'
import { unblockOutput } from './unblocked-output.ts'

export interface TerminalStreams {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
  /** Time in milliseconds that a lone Escape waits for further bytes of a key. Default: 50, over SSH 100. */
  escapeMs?: number | undefined
}

interface TerminalEvents {
  input(event: TerminalInput): void
  /** Called after each event and each signal about the terminal's size, even if the size is the same. */
  resized(): void
  resumed(): void
  /** Called when the input ends or closes, or when the input or the output fails; possibly several times. */
  gone(): void
  drained(): void
}

export interface TerminalIo {
  readonly modes: TerminalModes
  columns(): number
  rows(): number
  /** Reads the size of the terminal, which may have changed before the event about it arrives. */
  readSize(): void
  write(text: string): void
  /** Calls `then` once the terminal has received all text written before. */
  whenTaken(then: () => void): void
  /** Returns true if so much written text waits for the terminal that `drained` will be called. */
  isBusy(): boolean
  /** Resolves once the terminal has received everything, or after a time limit. */
  flush(): Promise<void>
  suspend(): void
  /** Stops reading keys and turns the modes of the terminal off until the returned function is called. */
  lend(): () => void
  close(): void
}

/**
 * Longest waits in milliseconds for further bytes: after a lone Escape (longer over SSH), within a sequence,
 * and in a paste without end.
 */
const waitMs = { escape: 50, remoteEscape: 100, sequence: 500, paste: 2_000 }

/** Time in milliseconds after which a flush stops waiting for a terminal that accepts no data. */
const flushMs = 1_000

/**
 * Opens the terminal. Removes other error listeners of the output, because they would end the process before
 * the draft is stored. For `part` see {@link guardTerminalModes}.
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
    // The signal may not stop the process at all, so work continues after a short time.
    unstopped = setTimeout(goOn, 50)
  }
  // The screen is restored once for each stop, because a second frame would appear below the remains
  // of the first.
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
    // This method of Node emits a resize event if the size has changed.
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

/** Reads keys until the returned function is called, which also pauses the input. */
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

/**
 * Calls functions of `on` when the streams end, fail, drain or change their size. Returns a function that
 * removes the listeners except those for errors, because a terminal may close at any time.
 */
function listenToStreams({ input, output }: TerminalStreams, on: TerminalEvents): () => void {
  const onGone = () => on.gone()
  const drained = () => on.drained()
  const resized = () => on.resized()
  input.on('end', onGone).on('close', onGone).on('error', onGone)
  output.removeAllListeners('error').on('error', onGone).on('drain', drained).on('resize', resized)
  // The signal also counts if the size is the same, because changes in between have moved the drawn rows.
  process.on('SIGWINCH', resized)
  return () => {
    process.off('SIGWINCH', resized)
    input.off('end', onGone).off('close', onGone)
    output.off('drain', drained).off('resize', resized)
  }
}

// The process's own streams, with a closed pipe ending quietly and signals turned into one abort signal.
import type { Io } from './verb.ts'

export function openIo(): Io {
  const stop = new AbortController()
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      process.exitCode = code
      stop.abort(new Error(signal))
      // a second signal ends at once
      process.once(signal, () => process.exit(code))
    })
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      // a full disk is the system's matter and no bug of ours
      process.stderr.write(`anode: the output could not be written: ${error.message}\n`)
      process.exit(1)
    })
  }
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: stop.signal,
  }
}

/** Writes to a stream and waits until the system has taken it. */
export function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
}

/** Reads standard input to its end, at most `limit` bytes. */
export async function readStdin(io: Io, limit = 20 * 1024 * 1024): Promise<string> {
  const bytes = await readBytes(io, limit)
  if (!bytes) throw new Error(`standard input is longer than ${limit} bytes`)
  return bytes.toString('utf8')
}

/** The bytes of standard input, or undefined when there are more than `limit`. */
export async function readBytes(io: Io, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of io.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

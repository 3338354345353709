// Standard output and standard error: a first short text goes straight to the descriptor, all else through Node's stream.
import { fstatSync, writeSync } from 'node:fs'
import { codeOf } from '../../internal/base/errors.ts'

/** What commands write to. */
export interface Out {
  readonly isTTY: boolean
  /** Cells of a terminal's width; undefined elsewhere. */
  readonly columns: number | undefined
  /** `done` comes when the system has taken the text. When nobody reads any more the process ends. */
  write(text: string, done?: (error?: Error | null) => void): unknown
  /** Node's stream, for what drives a terminal. */
  readonly stream: NodeJS.WriteStream
}

/** Bytes that a pipe nobody has written to takes without making the writer wait. */
const roomy = 65_536

/** Opening Node's stream costs as much as reading a file with every check, so that comes only when it must. */
export function openOut(name: 'stdout' | 'stderr'): Out {
  const fd = name === 'stdout' ? 1 : 2
  const isDevice = fstatSync(fd).isCharacterDevice()
  let stream: NodeJS.WriteStream | undefined
  let fresh = !isDevice
  const open = () => {
    fresh = false
    stream ??= process[name].on('error', giveUp)
    return stream
  }
  return {
    get isTTY() {
      return isDevice && open().isTTY === true
    },
    get columns() {
      return isDevice ? open().columns : undefined
    },
    get stream() {
      return open()
    },
    write(text, done) {
      const bytes = Buffer.from(text)
      const sent = fresh && bytes.length <= roomy ? put(fd, bytes) : 0
      fresh = false
      if (sent === bytes.length) done?.()
      else open().write(bytes.subarray(sent), done)
    },
  }
}

/** The number of bytes taken: fewer than all where whoever made the pipe set it to never wait. */
function put(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return 0
    return giveUp(error as NodeJS.ErrnoException)
  }
}

/** A closed pipe ends quietly. */
function giveUp(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  // a full disk is the system's matter and no bug of ours
  process.stderr.write(`anode: the output could not be written: ${error.message}\n`)
  process.exit(1)
}

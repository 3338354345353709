// Named pipes for children. Node connects children by sockets, and a socket cannot be opened
// again as /dev/stderr.
import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export interface ChildPipe {
  readonly reader: Readable
  /** Descriptor for the child's stdio. The parent closes its copy once the child has started. */
  readonly writer: number
}

/** A stock of named pipes in a directory, each used once. */
export interface PipeStock {
  /**
   * Returns the next pipe; undefined if the file system or the platform has none, so that sockets
   * are used instead.
   */
  next(): Promise<ChildPipe | undefined>
  /** Resolves when no pipe is being created in the directory. */
  idle(): Promise<void>
}

const firstBatch = 4
const batch = 32

export function makePipes(directory: string, platform: NodeJS.Platform = process.platform): PipeStock {
  const ready: string[] = []
  let made = 0
  let filling: Promise<void> | undefined
  // kqueue does not report the end of a named pipe reliably
  let works = platform === 'linux'

  const make = async () => {
    const count = made === 0 ? firstBatch : batch
    const paths = Array.from({ length: count }, () => join(directory, `pipe.${made++}`))
    if (await makeAll(paths)) ready.push(...paths)
    else works = false
    filling = undefined
  }
  const fill = () => {
    filling ??= make()
    return filling
  }
  // starts at once, in parallel with the other preparations of the first command
  if (works) void fill()
  return {
    async next() {
      while (works && ready.length === 0) await fill()
      const path = ready.shift()
      if (path === undefined) return undefined
      // created ahead of need, so that later commands do not wait and a single command creates only its own
      if (ready.length === 0) void fill()
      return open(path)
    },
    idle: async () => filling,
  }
}

function makeAll(paths: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('mkfifo', ['-m', '600', ...paths], (error) => resolve(error === null))
  })
}

function open(path: string): ChildPipe {
  // opened for reading first and without blocking, so that opening for writing does not block either
  const from = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  unlinkSync(path)
  return { reader: new Socket({ fd: from, readable: true, writable: false }), writer }
}

/** Returns a descriptor of a file with `input`, open for reading and already without a name. */
export function inputFile(directory: string, name: string, input: string | Uint8Array): number {
  const path = join(directory, name)
  try {
    writeFileSync(path, input, { mode: 0o600 })
    return openSync(path, 'r')
  } finally {
    rmSync(path, { force: true })
  }
}

export function closeAll(fds: readonly (number | undefined)[]): void {
  for (const fd of fds) if (fd !== undefined) closeSync(fd)
}

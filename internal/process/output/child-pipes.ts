// Named pipes for the output of children. Node would use sockets, and a socket cannot be opened
// again as /dev/stderr.
import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export interface ChildPipe {
  readonly reader: Readable
  /** Descriptor that the child gets for its output. The parent closes its copy once the child has started. */
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

/**
 * Number of pipes that are created first. A command in a sandbox needs four. Two more keep the stock from
 * becoming empty, because an empty stock causes the creation of 32 further pipes.
 */
const firstBatch = 6
const batch = 32

export function makePipes(directory: string, platform: NodeJS.Platform = process.platform): PipeStock {
  const ready: string[] = []
  let pipeCount = 0
  let filling: Promise<void> | undefined
  // Named pipes are used on Linux only, because kqueue does not report their end reliably.
  let works = platform === 'linux'

  const make = async () => {
    const count = pipeCount === 0 ? firstBatch : batch
    const paths = Array.from({ length: count }, () => join(directory, `pipe.${pipeCount++}`))
    if (await makeAll(paths)) ready.push(...paths)
    else works = false
    filling = undefined
  }
  const fill = () => {
    filling ??= make()
    return filling
  }
  // Filling the stock starts at once, in parallel with the other preparations of the first command.
  if (works) void fill()
  return {
    async next() {
      while (works && ready.length === 0) await fill()
      const path = ready.shift()
      if (path === undefined) return undefined
      // Further pipes are created in advance once the first ones are used, so that later commands do not wait
      // and a single command creates only its own.
      if (ready.length === 0) void fill()
      return openPipe(path)
    },
    idle: async () => filling,
  }
}

function makeAll(paths: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('mkfifo', ['-m', '600', ...paths], (error) => resolve(error === null))
  })
}

function openPipe(path: string): ChildPipe {
  // The pipe is opened for reading first and without blocking, so that opening it for writing does
  // not block either.
  const from = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  unlinkSync(path)
  return { reader: new Socket({ fd: from, readable: true, writable: false }), writer }
}

/** Returns an open descriptor for reading a file with `input`, whose name has already been removed. */
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

// Processes and directories of a benchmark. They end with it, also if it is interrupted or throws.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

const processes = new Set()
const directories = new Set()
let isReady = false

/** Ends a process and all that it has started in its process group. A group that has ended is left alone. */
function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function endAll() {
  for (const child of processes) endGroup(child)
  processes.clear()
  for (const dir of directories) rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  directories.clear()
}

function prepare() {
  if (isReady) return
  isReady = true
  process.on('exit', endAll)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => process.exit(128 + constants.signals[name]))
}

/** Starts a process as `spawn` does, in a new process group. It ends with the benchmark at the latest. */
export function spawnOwned(file, args, options = {}) {
  prepare()
  const child = spawn(file, args, { ...options, detached: true })
  if (child.pid === undefined) return child
  processes.add(child)
  child.once('exit', () => processes.delete(child))
  return child
}

/**
 * Ends a process and waits for its end. A server that is only asked to end may stay, because it cannot save to a
 * directory that is removed meanwhile.
 */
export async function endOwned(child) {
  if (!processes.has(child)) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  endGroup(child)
  await ended
}

/** Creates a temporary directory that is removed at the end of the benchmark. */
export function createOwnedDirectory(prefix) {
  prepare()
  const dir = mkdtempSync(join(tmpdir(), prefix))
  directories.add(dir)
  return dir
}

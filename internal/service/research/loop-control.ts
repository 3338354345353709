// Control of a loop of experiments by other processes, through files: its state, pause and stop.
import { existsSync, watch } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readJsonRecord, writeJsonRecord } from '../../base/files/json-record.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isAlive, processIdentity } from '../../base/process-identity.ts'
import { findOwnProcess } from '../../process/table/own-process.ts'

interface LoopRecord {
  /** Identity of the loop's process, as `processIdentity` returns it. */
  mark: string
  /** Real path of the workspace. */
  workspace: string
  policy: string
  /** Start of the loop, in milliseconds since 1970. */
  started: number
}

type LoopWish = 'go' | 'pause' | 'stop'

export interface LoopControl {
  /** Resolves immediately unless a pause is requested; then when the pause ends or `signal` aborts. */
  untilAllowed(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const recordPath = (dir: string) => join(dir, 'loop.json')
const pausePath = (dir: string) => join(dir, 'loop-pause.json')

/**
 * Longest time in milliseconds until a changed pause request is noticed, if the system does not
 * report file changes.
 */
const maxLookMs = 5_000

/**
 * Registers a loop of this process for the session in the directory `dir`, and removes an
 * earlier pause request.
 */
export async function openLoopControl(
  dir: string,
  loop: Omit<LoopRecord, 'mark' | 'started'>,
  note: (text: string) => void,
): Promise<LoopControl> {
  makeDirectory(dir, 0o700)
  await rm(pausePath(dir), { force: true })
  const record: LoopRecord = { ...loop, mark: processIdentity(), started: Date.now() }
  await writeJsonRecord(recordPath(dir), record)
  return {
    async untilAllowed(signal) {
      let isNoted = false
      while (!signal.aborted && isPauseWanted(dir)) {
        if (!isNoted) note('paused in the browser; you can continue it there')
        isNoted = true
        await untilChanged(dir, signal)
      }
    },
    async close() {
      await rm(recordPath(dir), { force: true })
      await rm(pausePath(dir), { force: true })
    },
  }
}

/**
 * Returns the loop of the session in the directory `dir`, and whether a pause is requested. Returns undefined
 * without a loop whose process is alive.
 */
export async function readLoop(dir: string): Promise<(LoopRecord & { isPaused: boolean }) | undefined> {
  const record = readJsonRecord<LoopRecord>(recordPath(dir))
  if (!record || !isAlive(record.mark, Date.now() - record.started)) return undefined
  return { ...record, isPaused: isPauseWanted(dir) }
}

/**
 * Pauses, continues or stops the loop. A pause begins before the next candidate; a stop works like Ctrl-C.
 * Resolves to `ended` without an active loop, and to `elsewhere` if the loop has to stop but its process
 * cannot be reached from here, for example on another machine or in another container.
 */
export async function controlLoop(dir: string, wish: LoopWish): Promise<'done' | 'ended' | 'elsewhere'> {
  const loop = await readLoop(dir)
  if (!loop) return 'ended'
  if (wish === 'go') await rm(pausePath(dir), { force: true })
  if (wish === 'pause') await writeJsonRecord(pausePath(dir), { at: Date.now() })
  if (wish !== 'stop') return 'done'
  const pid = findOwnProcess(loop.mark)
  if (pid === undefined) return 'elsewhere'
  process.kill(pid, 'SIGINT')
  return 'done'
}

const isPauseWanted = (dir: string) => existsSync(pausePath(dir))

async function untilChanged(dir: string, signal: AbortSignal): Promise<void> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const watcher = watch(dir, { persistent: false }, () => stop.abort())
  watcher.on('error', () => undefined)
  try {
    await sleep(maxLookMs, undefined, { signal: either }).catch(() => undefined)
  } finally {
    watcher.close()
  }
}

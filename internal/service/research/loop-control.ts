// A loop of experiments as others see it: that it runs, whether it pauses, and how it is paused and ended.
import { existsSync, watch } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readJsonRecord, writeJsonRecord } from '../../base/files/json-record.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isAlive, processIdentity } from '../../base/process-identity.ts'
import { findOwnProcess } from '../../process/table/own-process.ts'

interface LoopRecord {
  /** Of its process, see `processIdentity`. */
  mark: string
  /** Real path. */
  workspace: string
  policy: string
  /** Milliseconds since 1970. */
  started: number
}

export type LoopWish = 'go' | 'pause' | 'stop'

export interface LoopControl {
  /** Resolves at once unless somebody wants a pause; then when that is over, or `signal` aborts. */
  untilAllowed(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const recordPath = (dir: string) => join(dir, 'loop.json')
const pausePath = (dir: string) => join(dir, 'loop-pause.json')

/** Where nothing tells that a file has changed. */
const maxLookMs = 5_000

/** Says that a loop of this process works on the session in `dir`; an earlier wish for a pause is over. */
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
        if (!isNoted) note('paused on the page, which also goes on')
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

/** Undefined where none runs. */
export async function readLoop(dir: string): Promise<(LoopRecord & { isPaused: boolean }) | undefined> {
  const record = readJsonRecord<LoopRecord>(recordPath(dir))
  if (!record || !isAlive(record.mark, Date.now() - record.started)) return undefined
  return { ...record, isPaused: isPauseWanted(dir) }
}

/**
 * A pause begins before the next candidate is made; a stop is that of Ctrl-C. `elsewhere`: its process cannot
 * be reached from here.
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

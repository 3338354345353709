// A limit of parallel requests to one server, over all processes that share a data directory.
import { lstatSync, readdirSync, rmdirSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checksum } from '../../base/checksum.ts'
import { codeOf } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isAlive, maxUnknownAgeMs, processIdentity } from '../../base/process-identity.ts'
import { changePath } from '../endpoint/endpoint-url.ts'
import { enterRequestQueue } from './request-queue.ts'

/** Longest pause between two checks of the queue, in milliseconds. */
const maxPauseMs = 50

/** Milliseconds after which a wait for other processes is announced. */
const announceMs = 1_000

/**
 * Resolves once fewer than `max` requests to the server at `baseUrl` are running, in all processes that use
 * the same `folder`. The result is a function to call when this request is over. Requests are admitted in
 * order of arrival, and a dead process leaves the queue. `wait` is called once if other processes cause a
 * wait of a second. Without a writable folder, only this process counts. Rejects with the reason of `signal`,
 * and leaves the queue.
 */
export async function enterSharedQueue(
  baseUrl: string,
  max: number,
  folder: string | undefined,
  signal: AbortSignal,
  wait: () => void,
): Promise<() => void> {
  const address = serverAddress(baseUrl)
  // requests of this process wait for each other in memory, without reading files
  const leave = await enterRequestQueue(address, max, signal)
  try {
    const dir = folder && join(folder, `${checksum(address)}.slots`)
    const ticket = dir && drawTicket(dir)
    if (!ticket) return leave
    await waitForSlot(ticket, max, signal, wait).catch((error: unknown) => {
      dropTicket(ticket)
      throw error
    })
    return () => {
      dropTicket(ticket)
      leave()
    }
  } catch (error) {
    leave()
    throw error
  }
}

/**
 * Returns the URL of the server without the version in its path, because all wire formats share its slots.
 * `localhost` and `[::1]` become 127.0.0.1.
 */
function serverAddress(baseUrl: string): string {
  return changePath(baseUrl, (path) => path.replace(/\/v\d+$/, '')).replace(
    /^(https?:\/\/)(?:localhost|\[::1\])(?=[:/]|$)/,
    '$1127.0.0.1',
  )
}

/** A position in the queue: an empty file whose name contains its order and its process. */
interface SlotTicket {
  dir: string
  name: string
  /**
   * Timer that updates the file's time regularly, which shows other machines that the process of
   * the ticket lives.
   */
  touching: NodeJS.Timeout
}

let drawn = 0

/**
 * Largest number of attempts to get a ticket. An attempt fails only if another process changes the queue at
 * the same moment.
 */
const maxDraws = 1_000

/** Creates a ticket and returns it; undefined if the folder is not writable, or after `maxDraws` attempts. */
function drawTicket(dir: string): SlotTicket | undefined {
  try {
    for (let tries = 0; tries < maxDraws; tries++) {
      makeDirectory(dir, 0o700)
      const last = Math.max(0, ...(ignoreSystemError(() => listTickets(dir)) ?? []).map(numberOf))
      const name = `${String(last + 1).padStart(9, '0')}.${processIdentity()}.${++drawn}`
      const path = join(dir, name)
      // Writing fails if the last process of the queue has just removed the folder, so the folder
      // is created again.
      if (!writeTicket(path)) continue
      // A later process that saw neither the previous ticket nor this one may already be admitted. So the
      // ticket counts only if it is the last of all; then every later process counts it too.
      if (listTickets(dir).at(-1) === name) {
        const touch = () => {
          const now = new Date()
          ignoreSystemError(() => utimesSync(path, now, now))
        }
        return { dir, name, touching: setInterval(touch, maxUnknownAgeMs / 10).unref() }
      }
      unlinkSync(path)
    }
  } catch {
    // the directory is not writable, so the request continues without a ticket, as after too many attempts
  }
  return undefined
}

function writeTicket(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

function dropTicket({ dir, name, touching }: SlotTicket): void {
  clearInterval(touching)
  ignoreSystemError(() => unlinkSync(join(dir, name)))
  // rmdir fails while the directory has tickets of other requests
  ignoreSystemError(() => rmdirSync(dir))
}

async function waitForSlot(
  { dir, name }: SlotTicket,
  max: number,
  signal: AbortSignal,
  wait: () => void,
): Promise<void> {
  const began = performance.now()
  let isAnnounced = false
  for (let pause = 5; countBefore(dir, name) >= max; pause = Math.min(maxPauseMs, pause * 2)) {
    if (!isAnnounced && performance.now() - began >= announceMs) {
      isAnnounced = true
      wait()
    }
    await sleep(pause, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
  }
}

/** Counts tickets before `name` whose processes are alive, and removes those of dead ones. */
function countBefore(dir: string, name: string): number {
  const all = ignoreSystemError(() => listTickets(dir)) ?? []
  const ownIndex = all.indexOf(name)
  // The own ticket is missing, because another process has removed the whole queue, so no other ticket
  // is before it.
  if (ownIndex < 0) return 0
  return all.slice(0, ownIndex).filter((ticket) => isHeld(join(dir, ticket), ticket)).length
}

function isHeld(path: string, ticket: string): boolean {
  const owner = ticket.split('.')[1] ?? ''
  if (owner === processIdentity()) return true
  const stats = ignoreSystemError(() => lstatSync(path))
  if (!stats) return false
  if (isAlive(owner, Date.now() - stats.mtimeMs)) return true
  ignoreSystemError(() => unlinkSync(path))
  return false
}

const ticketName = /^\d{9,15}\.[\w-]+\.\d+$/

const numberOf = (ticket: string): number => Number.parseInt(ticket, 10)

/**
 * Returns tickets in order of arrival. Equal numbers are ordered by name, so that every process sees
 * the same order.
 */
function listTickets(dir: string): string[] {
  const tickets = readdirSync(dir).filter((name) => ticketName.test(name))
  return tickets.sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1))
}

/**
 * Returns the result of `work`; undefined after an error of the system, as when another process has removed
 * the file or the folder.
 */
function ignoreSystemError<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

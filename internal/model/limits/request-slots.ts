// Lets so many requests at a time through to one server, over all processes that share a data directory.
import { lstatSync, readdirSync, rmdirSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checksum } from '../../base/checksum.ts'
import { codeOf } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isAlive, maxUnknownAgeMs, processIdentity } from '../../base/process-identity.ts'
import { changePath } from '../endpoint/endpoint-url.ts'
import { enterRequestQueue } from './request-queue.ts'

/** Longest pause between two looks at the line, in milliseconds. */
const maxPauseMs = 50

/** A wait for other processes is worth a word once it has taken so long, in milliseconds. */
const announceMs = 1_000

/**
 * Resolves once fewer than `max` requests to the server at `baseUrl` are on their way, from this process or
 * another one that keeps its line in the same `folder`, to a function that has to be called when this one is
 * over. Whoever came first is let in first; a process that dies leaves the line with that. `wait` is called
 * once when other processes make it wait. Without a folder, or where none can be written, only this process
 * counts. Rejects with the reason of `signal`; who gives up leaves the line.
 */
export async function enterSharedQueue(
  baseUrl: string,
  max: number,
  folder: string | undefined,
  signal: AbortSignal,
  wait: () => void,
): Promise<() => void> {
  const address = serverAddress(baseUrl)
  // one's own requests hand the place on at once, without a look at any file
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

/** The server without the version in its path: it has its slots for every wire format together. */
function serverAddress(baseUrl: string): string {
  return changePath(baseUrl, (path) => path.replace(/\/v\d+$/, '')).replace(
    /^(https?:\/\/)(?:localhost|\[::1\])(?=[:/]|$)/,
    '$1127.0.0.1',
  )
}

/** A place in the line: an empty file, whose name says in which order they came and who made it. */
interface SlotTicket {
  dir: string
  name: string
  /** Keeps the file young, for who cannot see this process. */
  touching: NodeJS.Timeout
}

let drawn = 0

/** Others would have to come in between each time. */
const maxDraws = 1_000

/** Undefined where the folder cannot be written. */
function drawTicket(dir: string): SlotTicket | undefined {
  try {
    for (let tries = 0; tries < maxDraws; tries++) {
      makeDirectory(dir, 0o700)
      const last = Math.max(0, ...(quietly(() => listTickets(dir)) ?? []).map(numberOf))
      const name = `${String(last + 1).padStart(9, '0')}.${processIdentity()}.${++drawn}`
      const path = join(dir, name)
      // the last one of a line takes the folder away, perhaps just now
      if (!writeTicket(path)) continue
      // Somebody who has come since, and saw neither the last one nor this, may be inside already. Behind
      // everybody who is there, this one is counted by whoever comes.
      if (listTickets(dir).at(-1) === name) {
        const touch = () => {
          const now = new Date()
          quietly(() => utimesSync(path, now, now))
        }
        return { dir, name, touching: setInterval(touch, maxUnknownAgeMs / 10).unref() }
      }
      unlinkSync(path)
    }
  } catch {
    // goes without, as below
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
  quietly(() => unlinkSync(join(dir, name)))
  // refused while others are in line
  quietly(() => rmdirSync(dir))
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

/** Tickets before `name` whose processes live; those of dead ones are thrown away. */
function countBefore(dir: string, name: string): number {
  const all = quietly(() => listTickets(dir)) ?? []
  const own = all.indexOf(name)
  // whoever has thrown the folder away has ended the line
  if (own < 0) return 0
  return all.slice(0, own).filter((ticket) => isHeld(join(dir, ticket), ticket)).length
}

function isHeld(path: string, ticket: string): boolean {
  const owner = ticket.split('.')[1] ?? ''
  if (owner === processIdentity()) return true
  const found = quietly(() => lstatSync(path))
  if (!found) return false
  if (isAlive(owner, Date.now() - found.mtimeMs)) return true
  quietly(() => unlinkSync(path))
  return false
}

const ticketName = /^\d{9,15}\.[\w-]+\.\d+$/

const numberOf = (ticket: string): number => Number.parseInt(ticket, 10)

/**
 * In the order in which they came; two of the same number by their names, so that everybody sees one order.
 */
function listTickets(dir: string): string[] {
  const tickets = readdirSync(dir).filter((name) => ticketName.test(name))
  return tickets.sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1))
}

/** Undefined where somebody else has taken the file or the folder away. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

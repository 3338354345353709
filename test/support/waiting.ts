// Waits of tests for a time that the program itself counts: how long a question was seen, how old a file is.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'

/** Longer than keys count as typed before a dialog was seen (300 ms), and lines before their question was (700 ms). */
const readingMs = { key: 450, line: 900 } as const

/** Resolves when a question that is on the screen can be answered: with a key of a dialog, or with a line. */
export const untilAnswerable = (by: keyof typeof readingMs): Promise<void> => sleep(readingMs[by])

/** Resolves when nothing at or below these paths has changed for `ms`: the program does not trust younger times. */
export async function untilOld(ms: number, ...paths: readonly string[]): Promise<void> {
  const age = () => Date.now() - Math.max(...paths.map(newestChange))
  await expect.poll(age, { interval: 5, timeout: 60_000 }).toBeGreaterThan(ms)
}

function newestChange(path: string): number {
  const stat = lstatSync(path)
  const below = stat.isDirectory() ? readdirSync(path).map((name) => newestChange(join(path, name))) : []
  return Math.max(stat.ctimeMs, ...below)
}

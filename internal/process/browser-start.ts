// The start of the user's browser, which outlives Anode.
import { spawn } from 'node:child_process'
import type { EnvironmentVariables } from '../base/environment.ts'

/** Programs that open a file, by platform. Default: xdg-open. `BROWSER` takes precedence. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}

/** Longest time in milliseconds to wait for the program, which may be a browser that stays open. */
const maxWaitMs = 2000

/**
 * Resolves to true if a program showed the file: it ended without an error, or still runs after 2 seconds.
 * Resolves to false if it could not be started or failed, as xdg-open does without a browser.
 */
export function startBrowser(file: string, env: EnvironmentVariables): Promise<boolean> {
  const [browser] = (env.BROWSER ?? '').split(':')
  const [program = 'xdg-open', ...args] = browser ? [browser] : (openers[process.platform] ?? ['xdg-open'])
  // explorer.exe ends with 1 also if it showed the file
  const isCodeKnown = browser !== '' || process.platform !== 'win32'
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], { env: { ...env }, stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      const timer = setTimeout(() => resolve(true), maxWaitMs)
      child.once('exit', (code) => {
        clearTimeout(timer)
        resolve(code === 0 || !isCodeKnown)
      })
      child.unref()
    })
  })
}

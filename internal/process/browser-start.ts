// The start of the user's browser, which outlives Anode.
import { spawn } from 'node:child_process'
import type { EnvironmentVariables } from '../base/environment.ts'

/** Programs that open a file, by platform. Default: xdg-open. `BROWSER` takes precedence. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}

/**
 * Resolves to true if a program could be started to show the file, and to false otherwise. Whether it shows
 * the file is unknown.
 */
export function startBrowser(file: string, env: EnvironmentVariables): Promise<boolean> {
  const [browser] = (env.BROWSER ?? '').split(':')
  const [program = 'xdg-open', ...args] = browser ? [browser] : (openers[process.platform] ?? ['xdg-open'])
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], { env: { ...env }, stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

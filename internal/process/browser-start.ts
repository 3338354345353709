// The start of the user's browser, which outlives Anode.
import { spawn } from 'node:child_process'
import type { EnvironmentVariables } from '../base/environment.ts'

/** Programs that open a file on each desktop. `BROWSER` takes precedence. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}

/** Returns true if a program was started to show the file. Its success is unknown. */
export function startBrowser(file: string, env: EnvironmentVariables): Promise<boolean> {
  const [chosen] = (env.BROWSER ?? '').split(':')
  const [program = 'xdg-open', ...args] = chosen ? [chosen] : (openers[process.platform] ?? ['xdg-open'])
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], { env: { ...env }, stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

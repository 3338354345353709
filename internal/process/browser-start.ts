// Starts the person's browser, which outlives the program.
import { spawn } from 'node:child_process'
import type { EnvironmentVariables } from '../base/environment.ts'

/** What the desktop opens a file with; `BROWSER` goes before it. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}

/** Whether a program to show the file was started; what it makes of it is not known. */
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

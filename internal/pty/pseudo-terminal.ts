// Access to pseudo terminals of the package node-pty, which has to be built for the system.
import { constants } from 'node:os'
import { FailureError } from '../base/errors.ts'
import { once } from '../base/once.ts'
import type { OpenPseudoTerminal } from '../process/owned-terminal.ts'

type NodePty = typeof import('@lydell/node-pty')

/**
 * Loads the package node-pty and returns the function that opens a terminal. Rejects with FailureError
 * `unavailable` if the package has no build for this system.
 */
export const loadPseudoTerminals = once(async (): Promise<OpenPseudoTerminal> => {
  const { spawn } = await loadPackage()
  return (plan, { rows, columns, onOutput }) => {
    const { file, args, cwd, env } = plan
    const pty = spawn(file, [...args], { name: 'dumb', cwd, env: { ...env }, rows, cols: columns })
    // the end of a terminal reads as an error of its descriptor
    ;(pty as unknown as NodeJS.EventEmitter).on('error', () => undefined)
    pty.onData(onOutput)
    const exited = new Promise<{ exit: number | null; signal: string | null }>((resolve) => {
      pty.onExit(({ exitCode, signal }) =>
        resolve(signal ? { exit: null, signal: signalName(signal) } : { exit: exitCode, signal: null }),
      )
    })
    let isOver = false
    void exited.then(() => {
      isOver = true
    })
    return {
      pid: pty.pid,
      exited,
      write: (text) => {
        if (!isOver) pty.write(text)
      },
      // The package closes the terminal itself when the program has ended.
      close: () => undefined,
    }
  }
})

async function loadPackage(): Promise<NodePty> {
  try {
    return await import('@lydell/node-pty')
  } catch (error) {
    const where = `${process.platform} ${process.arch}`
    throw new FailureError(
      {
        code: 'unavailable',
        message: `terminals are not available: the package @lydell/node-pty has no build for ${where}`,
        hint: 'Run commands with `bash` instead.',
      },
      error,
    )
  }
}

const signalName = (signal: number) =>
  Object.entries(constants.signals).find(([, value]) => value === signal)?.[0] ?? `signal ${signal}`

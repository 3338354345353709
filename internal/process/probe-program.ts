// Trial start of a program that this machine may lack or refuse, such as one that builds a sandbox.
import { execFile } from 'node:child_process'

/** How a trial start ended. `exit` is null for a program that was killed. */
interface ProbedProgram {
  exit: number | null
  errors: string
}

/**
 * Starts a program that ends by itself and starts no others, and waits for its end. After `timeoutMs`
 * milliseconds, the program is killed. Returns its exit code and its output on standard error, or undefined
 * if it cannot be started or prints more than 1 MiB.
 */
export function probeProgram(
  file: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<ProbedProgram | undefined> {
  // callers search the errors for English text
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL' as const }
  return new Promise((resolve) => {
    execFile(file, args, { cwd: '/', env, ...limits }, (error, _stdout, errors) => {
      const code = error?.code
      if (typeof code === 'string') resolve(undefined)
      else resolve({ exit: error ? (code ?? null) : 0, errors })
    })
  })
}

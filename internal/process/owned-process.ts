// The start of child processes that live longer than one call: language servers, MCP servers, plugins.
import { setMaxListeners } from 'node:events'
import { FailureError } from '../base/errors.ts'
import { monotonicNow } from '../base/time-limit.ts'
import { cleanUpChild, endChild } from './child-end.ts'
import { type StartContext, startChild } from './child-start.ts'
import type { OwnedProcess, ProcessCommand } from './process-command.ts'

/**
 * Starts a child as `SpawnProcess` describes. The child is stopped when `signal` or `closing` aborts, and its
 * descendants end with it. Rejects with FailureError `cancelled` if one of the two has already aborted.
 */
export async function spawnOwned(
  context: StartContext,
  command: Pick<ProcessCommand, 'file' | 'args' | 'cwd' | 'env' | 'extraEnv' | 'signal' | 'sandbox'>,
  closing: AbortSignal,
): Promise<OwnedProcess> {
  const signals = command.signal ? [command.signal, closing] : [closing]
  if (signals.some((signal) => signal.aborted)) {
    throw new FailureError({ code: 'cancelled', message: `${command.file} was not started: cancelled` })
  }
  const child = await startChild(context, command, true)
  let termSentAt: number | undefined
  const stop = () => {
    if (termSentAt === undefined) {
      termSentAt = monotonicNow()
      void endChild(child, context.owner)
    }
    return endPromise
  }
  const endPromise = child.exited.then(async () => {
    for (const signal of signals) signal.removeEventListener('abort', stop)
    await cleanUpChild(child, termSentAt, context.owner.haste)
    // The errors of a sandbox that could not be built are not read here, because the caller notices
    // the child's exit.
    await child.sandbox?.leave({ stopped: true, errors: '' })
  })
  setMaxListeners(0, ...signals)
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true })
  if (signals.some((signal) => signal.aborted)) void stop()
  const stdin = child.stdin as OwnedProcess['stdin']
  // Writing to a child that has closed its input fails. That is ignored, because its exit or a time limit
  // is noticed anyway.
  stdin.on('error', () => stdin.destroy())
  const { pid, stdout, stderr, exited, sandbox } = child
  return { pid, isSandboxed: sandbox !== undefined, stdin, stdout, stderr, exited, stop }
}

// Children that live longer than one call: language servers, MCP servers, plugins.
import { setMaxListeners } from 'node:events'
import { now } from '../base/clock.ts'
import { FailureError } from '../base/errors.ts'
import type { Command, Owned } from './command.ts'
import { end, settle } from './finish.ts'
import { type Ground, start } from './start.ts'

/** See Spawn. The child is stopped when `signal` or `closing` aborts; its descendants go with it in every case. */
export async function spawnOwned(
  ground: Ground,
  command: Pick<Command, 'file' | 'args' | 'cwd' | 'env' | 'extraEnv' | 'signal'>,
  closing: AbortSignal,
): Promise<Owned> {
  const signals = command.signal ? [command.signal, closing] : [closing]
  if (signals.some((signal) => signal.aborted)) {
    throw new FailureError({ code: 'cancelled', message: `${command.file} was not started: cancelled` })
  }
  const child = await start(ground, command, true)
  let asked: number | undefined
  const stop = () => {
    if (asked === undefined) {
      asked = now()
      void end(child)
    }
    return gone
  }
  const gone = child.exited.then(async () => {
    for (const signal of signals) signal.removeEventListener('abort', stop)
    await settle(child, asked)
  })
  setMaxListeners(0, ...signals)
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true })
  if (signals.some((signal) => signal.aborted)) void stop()
  const stdin = child.stdin as Owned['stdin']
  // a child that closed its input is noticed by its exit or its silence, not by a crash of ours
  stdin.on('error', () => stdin.destroy())
  return { pid: child.pid, stdin, stdout: child.stdout, stderr: child.stderr, exited: child.exited, stop }
}

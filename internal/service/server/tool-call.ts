// Tool call for a client of the server. It runs in a separate process, so that it does not
// block other clients.
import { dataDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { createRunner } from '../../process/run-command.ts'
import type { ToolCallWishes } from '../../server/backend.ts'
import type { RunPlace } from '../runs/run-access.ts'

const maxMs = 600_000
const maxBytes = 8 * 1024 * 1024

/**
 * Returns the result in the form of `tools use`. Throws UserError if the call is rejected before it has a
 * result, takes more than 10 minutes, or has a result of more than 8 MiB.
 */
export async function useWorkspaceTool(
  name: string,
  { workspace: cwd, profile, args, allow, signal }: ToolCallWishes,
  { env, program }: RunPlace,
): Promise<{ ok: boolean }> {
  // a tool name that looks like a flag is rejected, because the name becomes an argument of a command
  if (!/^\w[\w/-]*$/.test(name)) throw new UserError(`unknown tool "${name}"`)
  const flags = [
    ...(profile === undefined ? [] : [`--profile=${profile}`]),
    ...(allow ? ['--allow-non-read'] : []),
  ]
  const envEntries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const runner = createRunner({ dataDir: dataDir(env), env })
  try {
    const {
      stdout,
      stderr,
      ended: endReason,
    } = await runner.run({
      file: process.execPath,
      args: [program, 'tools', 'use', name, '--json', '-', '--output', 'json', ...flags],
      cwd,
      env: Object.fromEntries(envEntries),
      input: JSON.stringify(args),
      signal,
      timeoutMs: maxMs,
      keepBytes: maxBytes,
    })
    if (endReason === 'timeout') throw new UserError(`${name} was ended after ${maxMs / 60_000} minutes`)
    if (stdout.cut) throw new UserError(`the result of ${name} is larger than ${maxBytes >> 20} MiB`)
    if (stdout.text.trim() !== '') return JSON.parse(stdout.text) as { ok: boolean }
    throw new UserError(stderr.text.replace(/^anode: /, '').trim() || `${name} gave no result`)
  } finally {
    await runner.close()
  }
}

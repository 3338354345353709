// Isolation of measured commands: namespaces in which everything but the checkout is read-only or new.
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError } from '../../../base/errors.ts'
import type { RunCommand } from '../../../process/process-command.ts'
import { type IsolatedPlaces, mountTables } from './isolation-mounts.ts'
import { isolationScript } from './isolation-script.ts'

/**
 * `cpus`: what commands are spread over, `''` where that cannot be said. `why` is for people: what this
 * machine lacks, or who switched it off.
 */
export type IsolationSupport =
  | { kind: 'namespaces'; cpus: string }
  | { kind: 'none'; cpus: string; why: string }

/** As ledger and results hold it: `namespaces`, or `not isolated: …`. */
export const describeIsolation = (support: IsolationSupport): string =>
  support.kind === 'none' ? `not isolated: ${support.why}` : 'namespaces'

/** Directory that an isolated command finds its checkout, HOME and TMPDIR in: the same for every tree. */
export const isolatedRoot = '/tmp/anode'

const namespaces = ['--user', '--map-current-user', '--keep-caps', '--mount', '--pid', '--ipc']

/**
 * Words that run `command` in new namespaces, in `cwd` as it is seen there. `prepareIsolation` has been
 * called for `folder`.
 */
export function isolatedWords(folder: string, command: string, cwd: string, cpus: string): string[] {
  const setup = ['bash', '-c', isolationScript, 'anode', folder, cwd, cpus, command]
  return ['unshare', ...namespaces, '--fork', '--kill-child', '--propagation', 'private', ...setup]
}

/** Makes what an isolated execution mounts; returns the variables that name its folders inside. */
export async function prepareIsolation(
  folder: string,
  places: IsolatedPlaces,
): Promise<{ HOME: string; TMPDIR: string }> {
  const own = join(folder, 'own')
  const private_ = ['checkout', 'home', 'tmp', 'var'].map((name) => join(own, 'anode', name))
  const shown = places.keep.map((path) => join(own, path.slice('/tmp'.length)))
  for (const dir of [...private_, ...shown]) await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const [name, table] of Object.entries(mountTables(folder, places)))
    await writeFile(join(folder, name), table)
  return { HOME: join(isolatedRoot, 'home'), TMPDIR: join(isolatedRoot, 'tmp') }
}

/** How many processes outlived an isolated command; 0 when it was cut off before it could say. */
export async function readLeaked(folder: string): Promise<number> {
  return Number((await readFile(join(folder, 'own', 'report'), 'utf8').catch(() => '0')).trim()) || 0
}

interface Probe {
  run: RunCommand
  env: Readonly<Record<string, string>>
  /** A folder of ours, outside of every checkout. */
  scratch: string
  signal: AbortSignal
}

/** Tries a whole isolated execution: what it may write it writes, and what it may not it cannot. */
export async function probeIsolation({ run, env, scratch, signal }: Probe): Promise<IsolationSupport> {
  if (process.platform !== 'linux')
    return { kind: 'none', cpus: '', why: `no namespaces on ${process.platform}` }
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(scratch, 'probe-'))
  const cpus = await hasTaskset(run, env, folder, signal)
  try {
    const checkout = join(folder, 'checkout')
    await mkdir(checkout)
    const places: IsolatedPlaces = {
      checkout,
      cwd: join(isolatedRoot, 'checkout'),
      keep: [],
      cover: [],
      mask: [],
    }
    const extraEnv = await prepareIsolation(folder, places)
    const [file = '', ...args] = isolatedWords(folder, probeCommand(folder), places.cwd, cpus)
    const { exit, stderr } = await run({ file, args, cwd: folder, env, extraEnv, signal, timeoutMs: 20_000 })
    if (exit === 0) return { kind: 'namespaces', cpus }
    const why = stderr.text.trim().split('\n')[0] || `namespaces end with exit ${exit}`
    return { kind: 'none', cpus, why }
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'not_found')
      return { kind: 'none', cpus, why: error.failure.message }
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const probeCommand = (folder: string) =>
  [
    'touch here "$HOME/x" "$TMPDIR/x" /tmp/x || exit 1',
    `for place in '${folder.replaceAll("'", "'\\''")}' / /var /usr /home; do`,
    '  ! touch "$place/anode-probe" 2>/dev/null || { echo "$place stays writable" >&2; exit 1; }',
    'done',
  ].join('\n')

/** Processors that are there: a command that gets all of them cannot free itself from a narrower choice. */
function onlineProcessors(): string {
  try {
    return readFileSync('/sys/devices/system/cpu/online', 'utf8').trim()
  } catch {
    // a system that does not tell keeps what the command inherits
    return ''
  }
}

async function hasTaskset(
  run: RunCommand,
  env: Readonly<Record<string, string>>,
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  const cpus = onlineProcessors()
  if (cpus === '') return ''
  const args = ['-c', cpus, 'true']
  const tried = await run({ file: 'taskset', args, cwd, env, signal, childless: true }).catch(() => undefined)
  return tried?.exit === 0 ? cpus : ''
}

// Isolation of measured commands: namespaces in which everything but the checkout is read-only or new.
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError } from '../../../base/errors.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import type { RunCommand, SandboxRequest } from '../../../process/process-command.ts'
import { type ExecutionReport, parseReport } from '../own-measurement.ts'
import { type IsolatedPlaces, mountTables } from './isolation-mounts.ts'
import { isolationScript, sandboxedScript } from './isolation-script.ts'
import { sessionKeyringWords } from './session-keyring.ts'

/**
 * `wall`: nothing but the checkout, tool chains and system files is there, and no network. `namespaces`: all
 * files can be read, and the network is open. `cpus`: what commands are spread over, `''` where that cannot
 * be said. `why` is for people: what this machine lacks, or who switched it off.
 */
export type IsolationSupport =
  | { kind: 'wall' | 'namespaces'; cpus: string }
  | { kind: 'none'; cpus: string; why: string }

/** As ledger and results hold it: `wall`, `namespaces` with what is shared, or `not isolated: …`. */
export function describeIsolation(support: IsolationSupport): string {
  if (support.kind === 'none') return `not isolated: ${support.why}`
  const shared = support.kind === 'namespaces' && sessionKeyringWords() === undefined
  return shared ? `${support.kind}, keyrings are shared` : support.kind
}

/** Directory that an isolated command finds its checkout, HOME and TMPDIR in: the same for every tree. */
export const isolatedRoot = '/tmp/anode'

const namespaces = ['--user', '--map-current-user', '--keep-caps', '--mount', '--pid', '--ipc']

/**
 * Words that run `command` in new namespaces, in `cwd` as it is seen there. `prepareIsolation` has been
 * called for `folder`.
 */
export function isolatedWords(folder: string, command: string, cwd: string, cpus: string): string[] {
  const setup = ['bash', '-c', isolationScript, 'anode', folder, cwd, cpus, command]
  const keyring = sessionKeyringWords() ?? []
  return [
    ...keyring,
    'unshare',
    ...namespaces,
    '--fork',
    '--kill-child',
    '--propagation',
    'private',
    ...setup,
  ]
}

/** Words that run `command` behind the wall of `measuredWall`. */
export const sandboxedWords = (command: string, cpus: string) => [
  'bash',
  '-c',
  sandboxedScript,
  'anode',
  cpus,
  command,
]

/** The wall `measure` of one execution; `<folder>/own` becomes its /tmp, and `channel` its descriptor 3. */
export function measuredSandbox(folder: string, places: IsolatedPlaces, channel?: string): SandboxRequest {
  const { checkout, locked = [], shown = [], cover, mask, closed } = places
  const path = join(isolatedRoot, 'checkout')
  return {
    kind: 'measure',
    folders: [],
    protected: [],
    network: [],
    write: [],
    revealed: [],
    opened: [],
    history: false,
    closed,
    measured: {
      temporary: join(folder, 'own'),
      checkout: { source: checkout, path },
      shown,
      channel,
      locked,
      hidden: [...cover, ...mask],
    },
  }
}

/** Makes what an isolated execution mounts; returns the variables that name its folders inside. */
export async function prepareIsolation(
  folder: string,
  places: IsolatedPlaces,
): Promise<{ HOME: string; TMPDIR: string }> {
  const own = join(folder, 'own')
  const private_ = ['checkout', 'home', 'tmp', 'var'].map((name) => join(own, 'anode', name))
  const shown = places.keep.map((path) => join(own, path.slice('/tmp'.length)))
  for (const dir of [...private_, ...shown]) makeDirectory(dir, 0o700)
  for (const [name, table] of Object.entries(mountTables(folder, places)))
    await writeFile(join(folder, name), table)
  return { HOME: join(isolatedRoot, 'home'), TMPDIR: join(isolatedRoot, 'tmp') }
}

/** Reads what the script measured of an isolated command; undefined when it was ended before its report. */
export async function readReport(folder: string): Promise<ExecutionReport | undefined> {
  return parseReport(await readFile(join(folder, 'own', 'report'), 'utf8').catch(() => ''))
}

interface Probe {
  run: RunCommand
  env: Readonly<Record<string, string>>
  /** A folder of ours, outside of every checkout. */
  scratch: string
  signal: AbortSignal
}

/** Tries whole isolated executions: what they may write they write, and what they may not they cannot. */
export async function probeIsolation(probe: Probe): Promise<IsolationSupport> {
  if (process.platform !== 'linux')
    return { kind: 'none', cpus: '', why: `no namespaces on ${process.platform}` }
  const { run, env, scratch, signal } = probe
  makeDirectory(scratch, 0o700)
  const folder = await mkdtemp(join(scratch, 'probe-'))
  const cpus = await hasTaskset(run, env, folder, signal)
  try {
    const checkout = join(folder, 'checkout')
    await mkdir(checkout)
    const cwd = join(isolatedRoot, 'checkout')
    const places: IsolatedPlaces = { checkout, cwd, keep: [], cover: [], mask: [] }
    const extraEnv = await prepareIsolation(folder, places)
    const start = { env, extraEnv, signal, timeoutMs: 20_000 }
    const sandboxed = await trySandbox(run, { ...start, cwd }, folder, places, cpus)
    if (sandboxed) return { kind: 'wall', cpus }
    const [file = '', ...args] = isolatedWords(folder, probeCommand(folder), cwd, cpus)
    const { exit, stderr } = await run({ ...start, file, args, cwd: folder })
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

/** Whether the runner lays walls that hold. Where it lays none nothing runs: the directory is not there. */
async function trySandbox(
  run: RunCommand,
  start: Omit<Parameters<RunCommand>[0], 'file' | 'args'>,
  folder: string,
  places: IsolatedPlaces,
  cpus: string,
): Promise<boolean> {
  const [file = '', ...args] = sandboxedWords(probeCommand(folder), cpus)
  try {
    const { exit, sandbox } = await run({ ...start, file, args, sandbox: measuredSandbox(folder, places) })
    return sandbox !== undefined && exit === 0
  } catch (error) {
    if (error instanceof FailureError) return false
    throw error
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

// Isolation of measured commands: namespaces in which everything except the checkout is read-only or new.
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError } from '../../../base/errors.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import { quoteForShell } from '../../../base/text/quoting/shell-word.ts'
import type { RunCommand, SandboxRequest } from '../../../process/process-command.ts'
import { type ExecutionReport, parseReport } from '../own-measurement.ts'
import { type IsolatedPlaces, mountTables } from './isolation-mounts.ts'
import { isolationScript, sandboxedScript } from './isolation-script.ts'
import { sessionKeyringWords } from './session-keyring.ts'

/**
 * The isolation that this machine can build. `wall`: only the checkout, tool chains and system files exist,
 * without a network. `namespaces`: all files are readable, and the network is open. `cpus`: processors for
 * the commands, `''` if they are unknown or `taskset` does not work. `why`: a message for the user about what
 * is missing on this machine, or who turned isolation off.
 */
export type IsolationSupport =
  | { kind: 'wall' | 'namespaces'; cpus: string }
  | { kind: 'none'; cpus: string; why: string }

/**
 * Returns the text for ledger and results: `wall`, `namespaces` with what is shared, or `not isolated: …`.
 */
export function describeIsolation(support: IsolationSupport): string {
  if (support.kind === 'none') return `not isolated: ${support.why}`
  const shared = support.kind === 'namespaces' && sessionKeyringWords() === undefined
  return shared ? `${support.kind}, keyrings are shared` : support.kind
}

/**
 * Directory inside the isolation with the checkout, HOME and TMPDIR of a command. It is the same
 * for every tree.
 */
export const isolatedRoot = '/tmp/anode'

const namespaces = ['--user', '--map-current-user', '--keep-caps', '--mount', '--pid', '--ipc']

/**
 * Returns the words that run `command` in new namespaces, in `cwd` as seen inside. Requires an
 * earlier `prepareIsolation` for `folder`.
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

/** Returns the words that run `command` inside the sandbox that `measuredSandbox` describes. */
export const sandboxedWords = (command: string, cpus: string) => [
  'bash',
  '-c',
  sandboxedScript,
  'anode',
  cpus,
  command,
]

/**
 * Returns the request for the sandbox `measure` of one execution. Its /tmp is `<folder>/own`, and `channel`
 * becomes its descriptor 3.
 */
export function measuredSandbox(folder: string, places: IsolatedPlaces, channel?: string): SandboxRequest {
  const { checkout, locked = [], shown: shownPaths = [], cover, mask, closed } = places
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
      shown: shownPaths,
      channel,
      locked,
      hidden: [...cover, ...mask],
    },
  }
}

/**
 * Creates the directories that are mounted for an isolated execution, and writes the tables of mounts.
 * Returns the values of HOME and TMPDIR, as paths inside the isolation.
 */
export async function prepareIsolation(
  folder: string,
  places: IsolatedPlaces,
): Promise<{ HOME: string; TMPDIR: string }> {
  const tmpFolder = join(folder, 'own')
  const private_ = ['checkout', 'home', 'tmp', 'var'].map((name) => join(tmpFolder, 'anode', name))
  const keptFolders = places.keep.map((path) => join(tmpFolder, path.slice('/tmp'.length)))
  for (const dir of [...private_, ...keptFolders]) makeDirectory(dir, 0o700)
  for (const [name, table] of Object.entries(mountTables(folder, places)))
    await writeFile(join(folder, name), table)
  return { HOME: join(isolatedRoot, 'home'), TMPDIR: join(isolatedRoot, 'tmp') }
}

/**
 * Reads the script's report on an isolated command. Returns undefined if the command was
 * ended before its report.
 */
export async function readReport(folder: string): Promise<ExecutionReport | undefined> {
  return parseReport(await readFile(join(folder, 'own', 'report'), 'utf8').catch(() => ''))
}

interface IsolationProbe {
  run: RunCommand
  env: Readonly<Record<string, string>>
  /** Private directory outside of every checkout, for the probe's files. */
  scratch: string
  signal: AbortSignal
}

/**
 * Returns the strongest isolation that works here. In a test execution, writes to the checkout, HOME, TMPDIR
 * and /tmp must succeed, and those to `/`, `/var`, `/usr`, `/home` and a directory outside must fail. If no
 * isolation works, `why` has the reason.
 */
export async function probeIsolation(probe: IsolationProbe): Promise<IsolationSupport> {
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

/**
 * Tries the sandbox of the process runner with a test command. Returns true if the command ran in the
 * sandbox and succeeded. Without a sandbox the command cannot start, because its working directory
 * exists only inside.
 */
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
    `for place in ${quoteForShell(folder)} / /var /usr /home; do`,
    '  ! touch "$place/anode-probe" 2>/dev/null || { echo "$place stays writable" >&2; exit 1; }',
    'done',
  ].join('\n')

/**
 * Returns the online processors as a list such as `0-3`, or an empty text if they are unknown. Every command
 * gets exactly these, so that no command gains an advantage by changing the processors that it may use.
 */
function onlineProcessors(): string {
  try {
    return readFileSync('/sys/devices/system/cpu/online', 'utf8').trim()
  } catch {
    // On a system without this file, commands use the processors that this process may use.
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

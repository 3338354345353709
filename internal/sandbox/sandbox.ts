// The sandboxes of one session: support check, building, observing and removing for each command.
import { randomBytes } from 'node:crypto'
import { existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'
import { FailureError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { readGrantedHost } from '../net/granted-host.ts'
import type { FetchGuardOptions } from '../net/ssrf-guard.ts'
import type {
  ProcessSandbox,
  RunCommand,
  SandboxedEnd,
  SandboxedStart,
  SandboxReport,
  SandboxRequest,
  SpawnPlan,
} from '../process/process-command.ts'
import { findBoundSockets } from './bound-sockets.ts'
import { filterFd, hasVanished, readSandboxEnd, wrapInBubblewrap } from './bubblewrap.ts'
import { openHostProxy } from './host-proxy.ts'
import { readMachinePlaces } from './machine-places.ts'
import { planMeasurement } from './measurement-mounts.ts'
import { countMoreRefused, countRefusedConnections } from './network-count.ts'
import { relayPort, throughRelay } from './network-relay.ts'
import { readRefusals } from './refused-access.ts'
import { describeListedNames } from './reserved-names.ts'
import { createSandboxMemory, type SandboxMemory } from './sandbox-memory.ts'
import { findTemporary, type MachinePlaces, planMounts, sealedLeaves } from './sandbox-mounts.ts'
import { findProgram, type SandboxSupport } from './sandbox-support.ts'
import { seatbeltProfile, wrapInSeatbelt } from './seatbelt.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { type JoinedNetwork, SessionNetwork } from './session-network.ts'
import { apartFrom, findClosed, type PreparedPlaces, WorkspaceStarts } from './workspace-starts.ts'

/** When commands run in a sandbox. `auto`: if possible; `require`: always, else they fail; `off`: never. */
export type SandboxMode = 'auto' | 'require' | 'off'

interface SandboxOptions {
  mode: Exclude<SandboxMode, 'off'>
  support: SandboxSupport
  env: EnvironmentVariables
  /** Extra paths that commands may read; see `readMachinePlaces`. */
  read?: readonly string[] | undefined
  /** Largest number of directories that are searched for secrets and protected paths. */
  searchLimit?: number | undefined
  /** Options for the check of hosts that the user grants to commands. */
  hosts?: FetchGuardOptions
  /** Starts programs without a sandbox: git, and those that create the network that commands share. */
  run?: RunCommand
  memory?: SandboxMemory | undefined
}

interface SessionSandboxes extends ProcessSandbox {
  /** Returns false if `searchLimit` ended the search of `folders`, so that some secrets may stay visible. */
  searchesAll: WorkspaceStarts['search']['coversAll']
}

/** Creates the sandbox of one session; see `ProcessSandbox`. It caches the content of directories. */
export function createSandbox(options: SandboxOptions): SessionSandboxes {
  const { mode, support, env, read, searchLimit, hosts = {}, run, memory = createSandboxMemory() } = options
  const starts = new WorkspaceStarts(run, searchLimit, memory)
  const network =
    run && support.kind === 'bubblewrap' ? openNetwork(support.program.path, env, run) : undefined
  const enter: ProcessSandbox = async (plan, { sandbox, directory, number, temporary = 'tmp' }) => {
    if (support.kind === 'none') {
      if (mode === 'require') throw notBuilt(support.detail, 'run `anode doctor` for a fix')
      return undefined
    }
    const programs = plan.env.PATH
    const machine = memory.machines.get(programs) ?? readMachinePlaces(env, { programs, read })
    memory.machines.set(programs, machine)
    const start = { sandbox, support, hosts, machine, starts, network, plan, directory, number, temporary }
    const laid = await buildSandbox(start)
    return laid && { ...laid, leave: (sandboxEnd) => laid.leave(sandboxEnd).catch(forget) }
  }
  /** Drops the cached paths of the machine if one of them vanished, and throws the error again. */
  const forget = (error: unknown): never => {
    if (error instanceof FailureError && error.failure.detail?.['vanished'] === true) memory.machines.clear()
    throw error
  }
  return Object.assign(enter, { searchesAll: starts.search.coversAll.bind(starts.search) })
}

function openNetwork(bwrap: string, { PATH = '' }: EnvironmentVariables, run: RunCommand): SessionNetwork {
  return new SessionNetwork({ bwrap, nsenter: findProgram('nsenter', PATH) }, run)
}

interface SandboxStart {
  hosts: FetchGuardOptions
  sandbox: SandboxRequest
  support: Exclude<SandboxSupport, { kind: 'none' }>
  machine: MachinePlaces
  starts: WorkspaceStarts
  /** Network that commands share while background jobs run; undefined if each command gets a separate one. */
  network: SessionNetwork | undefined
  plan: SpawnPlan
  directory: string
  number: number
  temporary: string
}

async function buildSandbox(start: SandboxStart): Promise<SandboxedStart | undefined> {
  const { sandbox, support, machine, starts, directory, number, temporary } = start
  const filter = support.kind === 'seatbelt' ? undefined : writeFilter(directory)
  if (sandbox.measured) {
    if (support.kind === 'seatbelt') return undefined
    const closed = findClosed(sandbox, starts.search.closed)
    const mounts = planMeasurement(sandbox.measured, machine, isFolder, findBoundSockets([]), closed?.places)
    const program = { ...support.program, locksNamespaces: false }
    const plan = { ...start.plan, env: withoutWaysOut(start.plan.env) }
    const { channel } = sandbox.measured
    // The channel gets the descriptor that the filter would have, so the filter gets the next one.
    const descriptor = channel === undefined ? filterFd : filterFd + 1
    const wrapped = wrapInBubblewrap(program, plan, mounts, { filter: filter ? descriptor : undefined })
    const withOutput = channel === undefined ? wrapped : withChannel(wrapped, channel, filter)
    const leave = async () => ({ refused: [], hidden: closed?.lines })
    return watchBubblewrap(withOutput, { directory, number, filter, leave })
  }
  const hostDir = join(directory, sandbox.kind === 'server' ? `tmp.${number}` : temporary)
  makeDirectory(hostDir, 0o700)
  const prepared = await starts.enter({ sandbox, directory, number })
  // A server, such as an MCP server, does not need the shared network of background jobs.
  const joined = sandbox.kind === 'server' ? undefined : await start.network?.join(sandbox.lasts === true)
  try {
    return await layPrepared(start, prepared, { own: hostDir, filter, joined })
  } catch (error) {
    joined?.leave()
    starts.leave({ sandbox, directory, number }, [])
    throw error
  }
}

interface PreparedStart {
  /** Private temporary directory: that of the session, or for a server a separate one. */
  own: string
  filter: string | undefined
  joined: JoinedNetwork | undefined
}

async function layPrepared(
  start: SandboxStart,
  { places, laid, hidden: secrets, tracked }: PreparedPlaces,
  { own: hostDir, filter, joined }: PreparedStart,
): Promise<SandboxedStart> {
  const { sandbox, support, machine, starts, directory, number } = start
  const isServer = sandbox.kind === 'server'
  const sockets = findBoundSockets(sandbox.folders)
  const mounts = planMounts(sandbox, machine, { ...places, sockets }, hostDir, laid)
  const temporary = support.kind === 'seatbelt' ? hostDir : findTemporary(mounts, machine, hostDir)
  const socket = join(temporary, `.proxy.${number}`)
  const inside = withPrivateFolders(start.plan, temporary, sandbox.state)
  const shared = joined?.pid
  // Other commands in a shared network can reach the proxy, so it requires a password.
  const password = shared === undefined ? undefined : randomBytes(16).toString('hex')
  const grants = sandbox.network.map(readGrantedHost)
  const proxy =
    grants.length > 0
      ? await openHostProxy(join(hostDir, `.proxy.${number}`), grants, start.hosts, password)
      : undefined
  const relay = { socket, port: shared === undefined ? relayPort : 0, password }
  const plan = proxy ? throughRelay(inside, relay, process.execPath) : inside
  const hidden = mounts.filter(({ kind }) => kind === 'empty').map(({ path }) => path)
  const unseen = mounts.filter(({ kind }) => kind === 'empty' || kind === 'private').map(({ path }) => path)
  const apart = apartFrom(machine.own, directory, unseen)
  const findChanges = starts.record(sandbox, [...apart, ...(laid.stubs ?? [])])
  const leave = async (end: SandboxedEnd, connections?: number): Promise<SandboxReport> => {
    const notes = starts.leave({ sandbox, directory, number }, apart)
    const decisions = proxy?.decisions() ?? []
    const reserved = laid.stubs ?? []
    const closed = [...sealedLeaves(mounts)]
    const facts = { hidden, closed, reserved, decisions, made: notes, connections, failed: end.failed }
    const servers = { isShared: shared !== undefined, apartBy: start.network?.problem }
    const refused = readRefusals(end, { cwd: plan.cwd, ...facts, servers })
    joined?.leave()
    await proxy?.close()
    if (isServer) rmSync(hostDir, { recursive: true, force: true })
    const history = await tracked
    const lines = [...secrets, ...describeListedNames(end.output ?? '', reserved)]
    return { refused, hidden: lines.length > 0 ? lines : undefined, tracked: history, ...findChanges() }
  }
  if (support.kind === 'seatbelt') {
    return {
      plan: wrapInSeatbelt(plan, seatbeltProfile(mounts, hostDir, proxy && relay)),
      leave,
    }
  }
  const options = {
    keepsTerminal: sandbox.terminal,
    filter: filter ? filterFd : undefined,
    entry: joined?.entry,
  }
  const wrapped = wrapInBubblewrap(support.program, plan, mounts, options)
  return watchBubblewrap(wrapped, { directory, number, filter, shared, leave })
}

/** Writes the filter of system calls once in a run. Returns its path; undefined for an unknown processor. */
function writeFilter(directory: string): string | undefined {
  const bytes = seccompFilter(process.arch)
  if (!bytes) return undefined
  const file = join(directory, 'seccomp')
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, bytes, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return file
}

interface WatchedStart {
  directory: string
  number: number
  /** File with the filter of system calls. */
  filter: string | undefined
  /** Id of a process in the network namespace that commands share, if this command joins it. */
  shared?: number | undefined
  /**
   * Ends the sandbox and returns its report. `connections` is the number of connections that the kernel
   * refused; undefined if they were not counted.
   */
  leave(end: SandboxedEnd, connections?: number): Promise<SandboxReport>
}

/** Adds a status file to the start, which shows after the end whether the command ran and finished. */
function watchBubblewrap(
  plan: SpawnPlan,
  { directory, number, filter, shared, leave }: WatchedStart,
): SandboxedStart {
  const file = join(directory, `wall.${number}`)
  const status = openSync(file, 'w', 0o600)
  const network = shared === undefined ? countRefusedConnections(file) : countMoreRefused(shared)
  return {
    plan,
    status,
    statusFile: file,
    filter: filter === undefined ? undefined : openSync(filter, 'r'),
    filterFile: filter,
    async leave(sandboxEnd): Promise<SandboxReport> {
      const { stopped, errors } = sandboxEnd
      const connections = network.read()
      network.close()
      // A stopped command needs no check, and its directory may already be removed.
      const text = stopped ? '' : readFileSync(file, 'utf8')
      rmSync(file, { force: true })
      const outcome = await leave(sandboxEnd, connections)
      if (stopped) return outcome
      const end = readSandboxEnd(text, errors)
      if (end.kind === 'not built')
        throw notBuilt(end.why, 'see `anode doctor`; --sandbox off runs without a sandbox')
      if (end.kind === 'finished') return outcome
      return {
        ...outcome,
        broken: 'the sandbox ended before the command; what the command did until then remains',
      }
    },
  }
}

/** Returns a start in which the file `path` is open as descriptor 4, so that the command can write to it. */
function withChannel(plan: SpawnPlan, path: string, filter: string | undefined): SpawnPlan {
  const move = filter ? `${filterFd + 1}<&${filterFd} ` : ''
  return { ...plan, file: 'bash', args: ['-c', `exec ${move}4>>"$0" "$@"`, path, plan.file, ...plan.args] }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Matches environment variables with which a command could reach programs outside the sandbox. */
const leadingOut = new RegExp(
  '^(?:SSH_(?:AUTH_SOCK|AGENT_PID)|DBUS_.*|GPG_AGENT_INFO|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DOCKER_HOST|' +
    'XDG_RUNTIME_DIR|VSCODE_IPC.*|TMUX.*|STY)$',
)

const withoutWaysOut = (env: SpawnPlan['env']) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !leadingOut.test(name)))

/** Variable against npm's search for updates, which the sandbox would report as a refused access. */
const quietNpm = { npm_config_update_notifier: 'false' }

/** Sets private temporary and cache directories, and removes variables for programs outside. */
function withPrivateFolders(plan: SpawnPlan, temporary: string, state?: string): SpawnPlan {
  const cache = join(state ?? temporary, '.cache')
  const privateVariables = { TMPDIR: temporary, TMP: temporary, TEMP: temporary, XDG_CACHE_HOME: cache }
  const tools = { GOCACHE: join(cache, 'go-build'), npm_config_logs_max: '0', ...quietNpm }
  const stateVariables = state === undefined ? {} : stateFolders(state)
  return { ...plan, env: { ...withoutWaysOut(plan.env), ...privateVariables, ...tools, ...stateVariables } }
}

/** Returns variables with directories for the state of a server, which cannot write to the home directory. */
const stateFolders = (state: string) => ({
  XDG_STATE_HOME: join(state, 'state'),
  npm_config_cache: join(state, 'npm'),
  CARGO_TARGET_DIR: join(state, 'target'),
})

const notBuilt = (why: string, hint: string) =>
  new FailureError({
    code: 'unavailable',
    message: `the sandbox could not be started, so the command did not run: ${why}`,
    hint,
    detail: hasVanished(why) ? { vanished: true } : undefined,
  })

// An attempt of a task by the agent of another program, in a sandbox around the worktree.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { StopReason } from '@agentclientprotocol/sdk/unstable'
import { messageOf, UserError } from '../../../base/errors.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import { waitAtMost } from '../../../base/time-limit.ts'
import { makeBuildEntry, type ReportedCall } from '../../../build/entries.ts'
import type { BuildTaskState } from '../../../build/state.ts'
import { describeTaskAttempt } from '../../../build/task-prompt.ts'
import { findGitLayout } from '../../../process/git/git-layout.ts'
import type { OwnedProcess, SandboxRequest } from '../../../process/process-command.ts'
import { serverSandbox } from '../../../process/server-sandbox.ts'
import { cleanUpDeadRuns } from '../../../runtime/crash-recovery.ts'
import { openProcesses } from '../../../runtime/processes/session-processes.ts'
import { readWorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import { FencedError } from '../../../study/worker/task-stop.ts'
import type { BuildLeader } from '../build-leader.ts'
import { type AgentWork, budgetShare, readFailure } from '../task-agent.ts'
import type { AcpProgram } from './acp-programs.ts'
import { openProgramSession, type ProgramSession } from './acp-session.ts'
import { copyProgramFiles } from './program-copies.ts'
import { guardProgramFiles } from './program-guards.ts'
import type { ProgramWorktree } from './program-worktree.ts'

interface AcpPlace {
  program: AcpProgram
  /** Real path of the worktree. */
  cwd: string
  /** Runs the checks of the task. Returns the message of a failure; undefined after a success. */
  check(): Promise<string | undefined>
}

/** Maximum number of prompts after failed checks in one attempt. */
const maxChecks = 5

/**
 * Runs the program until the checks pass, the program fails, or 5 more prompts have not helped. Then writes
 * the result to the journal as the step of the attempt. Writes no step if the build stops, or if the budget
 * was used up before the first prompt. Throws UserError if the program needs a sandbox that this machine
 * does not have.
 */
export async function runAcpTask(
  leader: BuildLeader,
  task: BuildTaskState,
  place: AcpPlace,
): Promise<AgentWork> {
  const started = Date.now()
  const closers: (() => void | Promise<void>)[] = []
  let session: ProgramSession | undefined
  let failure: string | undefined
  let isDenied = false
  try {
    const { child, ways } = await startProgram(leader, place, closers)
    const { spec, silenceMs } = place.program
    const approve = async (call: ReportedCall) => {
      const isAllowed = (await leader.run.onCall?.({ ...call, task: task.task.id, worker: spec })) ?? false
      isDenied ||= !isAllowed
      return isAllowed
    }
    const worktree = { ...ways, cwd: place.cwd, isSandboxed: child.isSandboxed, approve }
    session = await openProgramSession({ child, name: spec, place: worktree, silenceMs })
    const ran = await sendPrompts(leader, task, { ...place, session, started })
    if (ran !== 'done') return ran
  } catch (error) {
    if (error instanceof UserError) throw error
    if (leader.cut.aborted) return { kind: 'cut' }
    failure = messageOf(error)
  } finally {
    await session?.close()
    for (const close of closers.reverse()) await close()
  }
  const { id } = task.task
  const output = (failure ?? session?.text ?? '').slice(-4096).trim()
  const ms = Date.now() - started
  const usd = session?.usd ?? null
  const exit = failure === undefined ? 0 : 1
  const reported = session?.calls ?? []
  const data = { task: id, attempt: task.attempt, n: 1, exit, ms, output, usd, reported }
  await leader.write(makeBuildEntry('step', data, `step:${id}:${task.attempt}:1`))
  return isDenied
    ? { kind: 'denied', detail: `a call of ${place.program.spec} needed approval, and it was not approved` }
    : { kind: 'worked' }
}

/**
 * Sends the prompt for the task, and after each failed check one more prompt, at most 5. Sends none after the
 * budget is used up. Work that was paid before is then judged like any other.
 */
async function sendPrompts(
  leader: BuildLeader,
  task: BuildTaskState,
  { session, check, program, started }: AcpPlace & { session: ProgramSession; started: number },
): Promise<'done' | AgentWork> {
  let text: string | undefined = describeTaskAttempt(leader.state, task, await readFailure(leader, task))
  const { minutes } = leader.state.head.programs ?? {}
  for (let n = 0; n <= maxChecks && text !== undefined; n++) {
    if (leader.isStopping()) return { kind: 'cut' }
    const before = session.usd ?? 0
    const reservation = await reserveCost(leader, budgetShare(task))
    if (reservation === undefined)
      return n === 0 ? { kind: 'limit', detail: 'usd: the budget is used up' } : 'done'
    const why = await promptWithin(session, text, {
      ms: minutes === undefined ? undefined : started + minutes * 60_000 - Date.now(),
      message: `${program.spec} reached --worker-minutes ${minutes}`,
      stop: leader.stop,
    }).finally(() => chargeCost(leader, reservation, (session.usd ?? 0) - before))
    if (why === 'cancelled' && leader.isStopping()) return { kind: 'cut' }
    text = await check()
    if (leader.cut.aborted) return { kind: 'cut' }
  }
  return 'done'
}

/** Milliseconds in which a program may end its turn after it was asked to. */
const cancelMs = 2_000

/**
 * Sends a prompt and resolves to the reason why the program ended its turn. When the build stops, the
 * program is asked to end its turn. It is also asked after `ms` milliseconds, and the call then
 * rejects with `message`.
 */
async function promptWithin(
  session: ProgramSession,
  text: string,
  { ms, message, stop }: { ms: number | undefined; message: string; stop: AbortSignal },
): Promise<StopReason> {
  const cancel = () => session.cancel()
  stop.addEventListener('abort', cancel, { once: true })
  try {
    const turn = session.prompt(text)
    if (ms === undefined) return await turn
    const turnResult = await waitAtMost(turn, ms)
    if (typeof turnResult === 'object') return turnResult.value
    cancel()
    await waitAtMost(turn, cancelMs)
    throw new Error(message)
  } finally {
    stop.removeEventListener('abort', cancel)
  }
}

/** The least cost in US dollars of a prompt. The real one is known only after the prompt. */
const leastUsd = 1e-9

/** Reserves budget for one prompt. Resolves to the id, or to undefined if this share of it is used up. */
async function reserveCost({ lease: { journal, study, fence } }: BuildLeader, share: number) {
  const reserved = await journal.reserve(study, fence, { tokens: 0, usd: leastUsd }, share, {})
  if (reserved.state === 'fenced') throw new FencedError()
  return reserved.state === 'ok' ? reserved.id : undefined
}

/** Replaces a reservation by the cost in US dollars that the program has reported. */
const chargeCost = ({ lease: { journal, study } }: BuildLeader, reservation: string, usd: number) =>
  journal.settle(study, reservation, { tokens: 0, usd: Math.max(0, usd) })

/** Environment variables of this process that every program gets if they are set. */
const usual = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'NODE_EXTRA_CA_CERTS']

/**
 * Starts the program in its sandbox. Returns its process and functions to run other commands in the same
 * sandbox. Throws UserError if this machine has no sandbox, unless sandboxes are turned off.
 */
async function startProgram(
  { run, state, cut: cutSignal }: BuildLeader,
  { program, cwd }: AcpPlace,
  closers: (() => void | Promise<void>)[],
): Promise<{ child: OwnedProcess; ways: Pick<ProgramWorktree, 'run' | 'spawn' | 'env'> }> {
  const context = await readWorkspaceContext(cwd, run.env)
  await cleanUpDeadRuns(context.data)
  const { sandbox } = state.head
  const { run: runCommand, spawn } = openProcesses(context, { sandbox }, closers)
  const workerFolder = join(context.data, 'workers', program.spec.replace(':', '-'))
  makeDirectory(workerFolder, 0o700)
  const names = [...usual, ...program.env]
  const env = Object.fromEntries(names.flatMap((name) => (run.env[name] ? [[name, run.env[name]]] : [])))
  const [file = '', ...args] = program.command
  const programEnv = { ...env, ANODE_DATA_DIR: realpathSync(workerFolder) }
  const isOpen = sandbox === 'off'
  const guards = guardProgramFiles(program.write)
  // this directory is removed together with the worktree, even after a kill
  const files = copyProgramFiles(isOpen ? [] : program.write, `${cwd}.files`)
  closers.push(() => files.takeBack())
  const access = { program, guards, files }
  const inside = isOpen ? {} : { sandbox: programSandbox(cwd, access, realpathSync(workerFolder)) }
  const child = await spawn({ file, args, cwd, signal: cutSignal, env: programEnv, ...inside })
  // closers run from the last to the first, so the program has ended before its files are cleaned up
  if (!isOpen) closers.push(() => guards.clean().forEach(run.note))
  closers.push(() => child.stop())
  if (!isOpen && !child.isSandboxed)
    throw new UserError('programs of other agents need a sandbox, and this machine has none', {
      hint: '`anode doctor` shows the reason; --sandbox off runs them with your rights',
    })
  return {
    child,
    ways: {
      env: programEnv,
      run: (command) => runCommand({ ...command, signal: cutSignal, ...inside }),
      spawn: (command) => spawn({ ...command, signal: cutSignal, ...inside }),
    },
  }
}

interface ProgramAccess {
  program: AcpProgram
  guards: ReturnType<typeof guardProgramFiles>
  files: ReturnType<typeof copyProgramFiles>
}

/**
 * Returns the sandbox of the program, with the permissions of a server. The program may also write its
 * worktree, except the file `.git`, and the paths in its settings, except files that decide what its later
 * sessions run. It writes copies of such files. In a sandbox without mounts (macOS) the files are read-only.
 */
function programSandbox(
  cwd: string,
  { program, guards, files }: ProgramAccess,
  state: string,
): SandboxRequest {
  const { network, read } = program
  const layout = findGitLayout(cwd)
  const places = {
    network,
    read: [...read, ...(layout ? [layout.commonDir] : [])],
    write: [cwd, ...program.write, ...guards.pinned],
  }
  const words = [...program.command, process.execPath]
  const isMounted = process.platform !== 'darwin'
  const closed = isMounted ? [] : files.copies.map(({ path }) => path)
  return {
    ...serverSandbox({ folders: [cwd], state, places, base: cwd, words }),
    copies: isMounted ? files.copies : [],
    protected: [join(cwd, '.git'), ...guards.protected, ...files.protected, ...closed],
  }
}

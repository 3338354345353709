// The start of one child in its own session, with marker, pipes and record, or the reason why it fails.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { EnvironmentVariables } from '../base/environment.ts'
import { codeOf, FailureError, messageOf } from '../base/errors.ts'
import { isFile } from '../base/files/path-lookup.ts'
import { monotonicNow } from '../base/time-limit.ts'
import { allowedEnvironment } from './child-environment.ts'
import type { ChildOwner } from './child-owner.ts'
import { type ChildPipe, closeAll, inputFile } from './output/child-pipes.ts'
import type { ProcessCommand, ProcessSandbox, SandboxedStart, SpawnPlan } from './process-command.ts'
import { makeTemporaryDirectory } from './run-directory.ts'
import { spawnFailure } from './spawn-failure.ts'
import type { ProcessFamily } from './table/descendants.ts'

/** The context that a start needs in addition to the command. */
export interface StartContext {
  owner: ChildOwner
  /** The environment of Anode. Children without `env` get its allowed variables and those in `keep`. */
  env: EnvironmentVariables
  keep: readonly string[]
  sandbox: ProcessSandbox | undefined
  /** Name of the directory for temporary files of sandboxed children, in the directory of the owner. */
  temporary: string
}

export interface StartedChild {
  pid: number
  number: number
  directory: string
  family: ProcessFamily
  /** Standard input of the child, if the caller keeps it open; otherwise null. */
  stdin: Writable | null
  stdout: Readable
  stderr: Readable
  exited: Promise<{ exit: number | null; signal: string | null }>
  /** The TMPDIR of the child, by its path outside the sandbox. */
  temporary: string | undefined
  /** Set in a sandbox. `pid` is then the sandbox's own process, which ends with the command. */
  sandbox: SandboxedStart | undefined
  /** Removes the record of the child. Call it when no process of its family is left. */
  done: () => void
}

type ChildCommand = Pick<
  ProcessCommand,
  'file' | 'args' | 'cwd' | 'env' | 'extraEnv' | 'input' | 'childless' | 'sandbox'
>

/**
 * Starts a child. Rejects with FailureError as `RunCommand` does. With `open`, the child's standard input
 * stays open for the caller.
 */
export async function startChild(
  context: StartContext,
  command: ChildCommand,
  open = false,
): Promise<StartedChild> {
  const childless = command.childless === true
  const { directory, pipes } = await context.owner.ready({ piped: !open && !childless, childless })
  const number = context.owner.number()
  const mark = context.owner.mark(number)
  const outside = planOf(context, command, mark)
  const { sandbox: request } = command
  const { temporary } = context
  const sandbox =
    request && (await context.sandbox?.(outside, { sandbox: request, directory, number, temporary }))
  const { plan, limit = undefined } = sandbox
    ? { plan: sandbox.plan }
    : planUnconfined(context.owner, outside, { request, directory, number })
  let out: ChildPipe | undefined
  let err: ChildPipe | undefined
  let input: number | undefined
  try {
    if (!open) {
      out = await pipes?.next()
      err = out && (await pipes?.next())
      if (command.input !== undefined) input = inputFile(directory, `input.${number}`, command.input)
    }
    const stdio: StdioOptions = [
      open ? 'pipe' : (input ?? 'ignore'),
      out?.writer ?? 'pipe',
      err?.writer ?? 'pipe',
      ...(sandbox?.status === undefined ? [] : [sandbox.status]),
      ...(sandbox?.filter === undefined ? [] : [sandbox.filter]),
    ]
    const at = monotonicNow()
    const child = launchChild(plan, stdio)
    const exited = exitOf(child)
    if (child.pid === undefined) throw await failureOf(child, plan)
    const { start: born, done } = context.owner.note(directory, child.pid)
    return {
      pid: child.pid,
      number,
      directory,
      family: { mark, limit, leader: { pid: child.pid, start: born, at }, known: new Map() },
      stdin: child.stdin,
      stdout: out?.reader ?? (child.stdout as Readable),
      stderr: err?.reader ?? (child.stderr as Readable),
      exited,
      temporary: sandbox ? join(directory, temporary) : plan.env.TMPDIR,
      sandbox,
      done,
    }
  } catch (error) {
    out?.reader.destroy()
    err?.reader.destroy()
    await sandbox?.leave({ stopped: true, errors: '' })
    throw error
  } finally {
    closeAll([input, out?.writer, err?.writer, sandbox?.status, sandbox?.filter])
  }
}

/** Returns the plan of a start, with the marker of this child in its environment. */
export function planOf(
  context: Pick<StartContext, 'env' | 'keep'>,
  command: Pick<ChildCommand, 'file' | 'args' | 'cwd' | 'env' | 'extraEnv'>,
  mark: string,
): SpawnPlan {
  const base = command.env ?? allowedEnvironment(context.env, context.keep)
  // The marks form a chain, so that an outer Anode still recognizes these children as its own.
  const outer = context.env.ANODE_RUN
  const env = { ...base, ...command.extraEnv, ANODE_RUN: outer ? `${outer}:${mark}` : mark }
  return { file: command.file, args: command.args, cwd: command.cwd, env }
}

/**
 * Returns the plan of a start without a sandbox. The returned `limit` identifies processes of the child in a
 * later search, as `ProcessFamily.limit`.
 */
export function planUnconfined(
  owner: ChildOwner,
  outside: SpawnPlan,
  { request, directory, number }: { request: ChildCommand['sandbox']; directory: string; number: number },
): { plan: SpawnPlan; limit?: string | undefined } {
  const plan = withTemporary(outside, request, directory)
  // The mark as a resource limit lets a later search find processes that a command left running. Programs
  // without a sandbox request, such as Anode's own, get no such mark.
  return request ? owner.limit(plan, number) : { plan }
}

/**
 * Returns the plan with a temporary directory of this Anode process, for commands that would have one
 * in a sandbox.
 */
function withTemporary(plan: SpawnPlan, request: ChildCommand['sandbox'], directory: string): SpawnPlan {
  if (request?.kind !== 'workspace' && request?.kind !== 'read') return plan
  const temporary = makeTemporaryDirectory(directory)
  if (temporary === undefined) return plan
  return { ...plan, env: { ...plan.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary } }
}

function launchChild(plan: SpawnPlan, stdio: StdioOptions): ChildProcess {
  try {
    return spawn(plan.file, [...plan.args], { cwd: plan.cwd, env: { ...plan.env }, stdio, detached: true })
  } catch (error) {
    throw spawnFailure(error, plan.file) ?? createStartFailure(plan, error)
  }
}

function exitOf(child: ChildProcess): StartedChild['exited'] {
  return new Promise((resolve) => {
    child.once('exit', (exit, signal) => resolve({ exit, signal }))
  })
}

/** Returns the reason why the start failed. */
async function failureOf(child: ChildProcess, plan: SpawnPlan): Promise<FailureError> {
  const error = await new Promise<Error>((resolve) => {
    child.once('error', resolve)
  })
  const missing =
    codeOf(error) === 'EACCES' ? isNowhere(plan) : ['ENOENT', 'ENOTDIR'].includes(`${codeOf(error)}`)
  if (!missing) return createStartFailure(plan, error)
  const directory = statSync(plan.cwd, { throwIfNoEntry: false })?.isDirectory()
  const message = directory ? `program not found: ${plan.file}` : `no such directory: ${plan.cwd}`
  return new FailureError({ code: 'not_found', message }, error)
}

/**
 * Returns true if no directory of PATH has the program. In that case the system may report EACCES, because a
 * directory of PATH does not permit a search. Returns false if `file` is a path, PATH is not set, or the
 * directory `cwd` is missing.
 */
function isNowhere({ file, cwd, env }: SpawnPlan): boolean {
  if (file.includes('/') || env.PATH === undefined || !existsSync(cwd)) return false
  return !env.PATH.split(':').some((dir) => isFile(resolve(cwd, dir, file)))
}

function createStartFailure(plan: SpawnPlan, error: unknown): FailureError {
  const message = `cannot start ${plan.file}: ${messageOf(error)}`
  return new FailureError({ code: 'io', message, detail: { errno: codeOf(error) } }, error)
}

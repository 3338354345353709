// Start of studies, experiments and builds for a client, as commands in separate processes.
import { type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import { spawnFailure } from '../../process/spawn-failure.ts'
import type { BuildWishes, ResearchWishes, StudyWishes } from '../../server/backend.ts'
import type { RunPlace } from '../runs/run-access.ts'
import { openServerFolder } from './token-file.ts'

/** Starts a study. Resolves to its id. Throws UserError with the message of the command if it fails. */
export function startStudy({ workspace, question, model }: StudyWishes, place: RunPlace): Promise<string> {
  const words = ['study', '--serve', ...(model === undefined ? [] : [`--model=${model}`]), '--', question]
  return startOnPage(words, workspace, place)
}

/**
 * Starts a session of experiments and a loop of agents that propose. Resolves to the id of the session.
 * Throws UserError with the message of the command that failed.
 */
export async function startResearch(wishes: ResearchWishes, place: RunPlace): Promise<string> {
  const { workspace, name, metric, direction, command, scope = [], model, runs } = wishes
  const init = ['research', 'init', `--name=${name}`, `--metric=${metric}`, `--direction=${direction}`]
  await runToEnd([...init, `--cmd=${command}`, ...scope.map((path) => `--scope=${path}`)], workspace, place)
  const auto = [
    'research',
    'auto',
    '--serve',
    '--policy=model',
    ...(model === undefined ? [] : [`--model=${model}`]),
  ]
  return startOnPage([...auto, ...(runs === undefined ? [] : [`--max-runs=${runs}`])], workspace, place)
}

/** Starts a build. Resolves to its id. Throws UserError with the message of the command if it fails. */
export function startBuild(wishes: BuildWishes, place: RunPlace): Promise<string> {
  const { workspace, goal, plan, until = [], workers, model } = wishes
  const words = ['build', '--serve', '--yes', ...until.map((check) => `--until=${check}`)]
  for (const [name, value] of Object.entries({ plan, workers, model }))
    if (value !== undefined) words.push(`--${name}=${value}`)
  return startOnPage(goal === undefined ? words : [...words, '--', goal], workspace, place)
}

/**
 * Matches the line with the URL of the page that `--serve` prints. A group contains the id of the study,
 * session or build.
 */
const pageLine = /^page {2}\S+?\/(?:studies|research|builds)\/([\w.-]+)#/m

/**
 * Starts a command and resolves to the id of the study, session or build that it shows on the page. The
 * process continues. Throws UserError if the command ends first.
 */
async function startOnPage(words: readonly string[], cwd: string, place: RunPlace): Promise<string> {
  const started = await startCommand(words, cwd, place)
  try {
    for (;;) {
      const isOver = started.isOver()
      const [, id] = pageLine.exec(started.read()) ?? []
      if (id !== undefined) return id
      if (isOver) throw toUserError(started.read())
      await sleep(50)
    }
  } finally {
    started.forget()
  }
}

async function runToEnd(words: readonly string[], cwd: string, place: RunPlace): Promise<void> {
  const started = await startCommand(words, cwd, place)
  try {
    while (!started.isOver()) await sleep(50)
    if (started.code() !== 0) throw toUserError(started.read())
  } finally {
    started.forget()
  }
}

/**
 * Starts a command that continues after the end of this process. Its standard error is written to a file,
 * because a closed pipe would end it.
 */
async function startCommand(words: readonly string[], cwd: string, { env, program }: RunPlace) {
  const path = join(await openServerFolder(dataDir(env)), `start-${createUlid()}.log`)
  const child = spawnWithLog([program, ...words], { cwd, env }, path)
  let isOver = false
  child.once('error', () => {
    isOver = true
  })
  child.once('exit', () => {
    isOver = true
  })
  child.unref()
  return {
    isOver: () => isOver,
    code: () => child.exitCode,
    read: () => readFileSync(path, 'utf8'),
    forget: () => rmSync(path, { force: true }),
  }
}

function spawnWithLog(
  args: string[],
  { cwd, env }: { cwd: string; env: EnvironmentVariables },
  path: string,
) {
  const file = openSync(path, 'ax', 0o600)
  try {
    const stdio: StdioOptions = ['ignore', 'ignore', file]
    return spawn(process.execPath, args, { cwd, env: { ...env }, stdio, detached: true })
  } catch (error) {
    rmSync(path, { force: true })
    throw spawnFailure(error, process.execPath) ?? error
  } finally {
    closeSync(file)
  }
}

/** Returns a UserError from the output of a failed command: its message, and the next line as the hint. */
function toUserError(printed: string): UserError {
  const [, message = 'the command ended without a message', rest = ''] =
    /^anode: (.*)\n?([\s\S]*)/m.exec(printed) ?? []
  return new UserError(message, { hint: rest.trim().split('\n')[0] || undefined })
}

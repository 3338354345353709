// Request for a build: the repository, the plan and its checks, all verified before anything is stored.
import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import { createId, createUlid } from '../../base/ids.ts'
import type { BuildHead, BuildPrograms } from '../../build/entries.ts'
import { type BuildPlan, planError, type ReadPlan, readBuildPlan } from '../../build/plan.ts'
import { namesFiles } from '../../build/scope.ts'
import { shortBranch } from '../../build/summary.ts'
import type { Mode } from '../../policy/level.ts'
import { findGitLayout } from '../../process/git/git-layout.ts'
import { branchOf, settledHead } from '../../research/git/git-state.ts'
import { type GitRepository, listTree, resolveCommit } from '../../research/git/git-tree.ts'
import type { SandboxMode } from '../../sandbox/sandbox.ts'
import { findProgram } from '../../sandbox/sandbox-support.ts'
import type { BudgetLimits } from '../../store/journal/journal.ts'
import { gitRepositoryOf, tryGit, type WorktreeTools } from '../runs/worktree/worktree-git.ts'
import { openAcpProgram, ownWorker, requireKnownCost } from './program/acp-programs.ts'

/** A build as the user requests it. */
export interface BuildRequest {
  goal: string
  /** Path of the plan file, relative to the workspace. */
  plan?: string
  /** Commands that have to pass on the whole branch at the end, in addition to those of the plan. */
  until: readonly string[]
  workers: number
  attempts: number
  /** Name of the branch. Default: `anode/build/ID`. */
  into?: string
  setup?: string
  carry: readonly string[]
  noProof: boolean
  sandbox: SandboxMode
  deadlineMs?: number
  /** Model of the agents. File names in it are relative to the workspace. */
  model?: string
  plannerModel?: string
  approval?: Mode
  budget?: BudgetLimits
  programs: BuildPrograms
}

interface PreparedBuild {
  head: BuildHead
  /** The plan; undefined if the planner has to make it. */
  plan: BuildPlan | undefined
}

/**
 * Verifies a request. Throws UserError (exit 2) without a goal or plan, outside of a git repository, without
 * a commit, and during a merge. Also throws it for an invalid plan or worker, for a branch that is invalid or
 * exists, and for a path to copy into worktrees that is missing or not ignored by git. Stores nothing.
 */
export async function prepareBuild(
  tools: WorktreeTools,
  request: BuildRequest,
  cwd: string,
): Promise<PreparedBuild> {
  const project = await realpath(cwd)
  const { repo, base, from } = await openRepository(tools, project)
  const id = createUlid()
  const ref = `refs/heads/${request.into ?? `anode/build/${id}`}`
  const [tree] = await Promise.all([listTree(repo, base), requireNewBranch(repo, ref)])
  const plan = await readPlanFile(request, project, { repo, env: tools.env, files: [...tree.keys()] })
  await checkWorkers(request, plan, { tools, project })
  for (const path of request.carry) await requireCarried(repo, path)
  const created = Date.now()
  const { workers, attempts, setup, carry, sandbox, deadlineMs, approval, budget, programs } = request
  const head: BuildHead = {
    id,
    project,
    top: repo.top,
    base,
    from,
    ref,
    workers,
    attempts,
    setup,
    carry,
    sandbox,
    created,
    approval,
    budget,
    programs: programs.turns.length > 0 ? programs : undefined,
    model: resolveModel(request.model, project),
    goal: request.goal || plan?.goal || `${plan?.tasks.length} tasks of ${basename(request.plan ?? '')}`,
    planner: plan
      ? undefined
      : {
          thread: createId('sess'),
          model: resolveModel(request.plannerModel, project),
          until: request.until,
        },
    isProven: !request.noProof,
    deadline: deadlineMs === undefined ? undefined : created + deadlineMs,
  }
  return { head, plan }
}

async function openRepository(tools: WorktreeTools, project: string) {
  const layout = findGitLayout(project)
  if (!layout)
    throw new UserError(`not a git repository: ${project}`, {
      hint: 'a build ends in a branch: run `git init`, and commit your files',
    })
  const top = await realpath(layout.top)
  const repo = gitRepositoryOf(tools, top, project)
  const branch = branchOf(repo)
  // without a commit both fail, and the error of the commit is the one that helps
  branch.catch(() => undefined)
  const base = await settledHead(repo, { ...layout, prefix: '' }).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
    const hint = /commit yet/.test(messageOf(error)) ? 'commit your files' : 'finish or abort it'
    throw new UserError(messageOf(error), { hint: `${hint}, then start the build` })
  })
  return { repo, base, from: (await branch) ?? null }
}

/** Throws UserError if git refuses the name of the branch, or if the branch exists. */
async function requireNewBranch(repo: GitRepository, ref: string): Promise<void> {
  const name = shortBranch(ref)
  const [format, commit] = await Promise.all([
    tryGit(repo, repo.top, ['check-ref-format', ref]),
    resolveCommit(repo, ref),
  ])
  if (format.exit !== 0) throw new UserError(`invalid branch name "${name}"`)
  if (commit !== undefined)
    throw new UserError(`branch ${name} exists`, { hint: 'name a new branch after --into' })
}

/**
 * Throws UserError for a worker (a program that works on tasks) that is unknown or not installed, or whose
 * cost the budget cannot limit.
 */
async function checkWorkers(
  { programs: { turns, minutes }, budget, model }: BuildRequest,
  plan: BuildPlan | undefined,
  { tools, project }: { tools: WorktreeTools; project: string },
): Promise<void> {
  const named = (plan?.tasks ?? []).flatMap(({ worker }) => worker ?? [])
  for (const spec of new Set([...turns, ...named])) {
    if (spec === ownWorker) continue
    await openAcpProgram(spec, { project, model, run: tools })
    requireKnownCost(spec, budget, minutes)
  }
}

/**
 * Returns the checked plan of the file; undefined for a goal without a file. Throws UserError without a goal
 * and a file, and for an unreadable or invalid plan.
 */
async function readPlanFile(
  { plan, goal, until, noProof }: BuildRequest,
  project: string,
  place: Pick<PlanPlace, 'repo' | 'env' | 'files'>,
): Promise<BuildPlan | undefined> {
  if (plan === undefined && goal !== '') return undefined
  if (plan === undefined)
    throw new UserError('a build needs a goal or a plan', {
      hint: 'anode build "Replace moment by date-fns", or anode build --plan plan.yaml',
    })
  const text = await readPlanText(resolve(project, plan), plan)
  const read = await checkedPlan(text, { ...place, file: basename(plan), until, noProof })
  return read.plan
}

/**
 * Returns the text of a plan. If it cannot be read, throws UserError with the name as the user has typed it.
 */
export const readPlanText = (path: string, name: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UserError(`cannot read ${name}`, { hint: 'name a file with tasks: anode manual build' })
  })

/** Returns the model. A file path in its name becomes absolute, because agents work in other directories. */
const resolveModel = (model: string | undefined, cwd: string) =>
  model?.replace(/^(script|replay|record):(.*)$/s, (_, kind, file) => `${kind}:${resolve(cwd, file)}`)

interface PlanPlace {
  /** Name of the plan in errors. */
  file: string
  /** Paths of all files in the commit at which the build starts. */
  files: readonly string[]
  repo: GitRepository
  env: EnvironmentVariables
  /** Commands that have to pass on the whole branch at the end, in addition to those of the plan. */
  until: readonly string[]
  noProof: boolean
}

/**
 * Reads and checks a plan. Throws UserError with line and reason, also for a scope (allowed paths) that
 * matches no file, an unknown worker, and a check that cannot start. A task without a check is an error too,
 * unless the build has checks at its end or `noProof` is set.
 */
export async function checkedPlan(text: string, place: PlanPlace): Promise<ReadPlan> {
  const source = await readBuildPlan(text, place.file)
  const until = [...new Set([...source.plan.until, ...place.until])]
  const read = { ...source, plan: { ...source.plan, until } }
  await checkPlan(read, place)
  requireChecks(read, place)
  return read
}

async function checkPlan({ plan, lines }: ReadPlan, place: PlanPlace): Promise<void> {
  const { file, files } = place
  const refused = await findRefused([...plan.tasks.flatMap(({ until }) => until), ...plan.until], place)
  for (const task of plan.tasks) {
    const at = (key: string) => lines.get(`${task.id}:${key}`) ?? lines.get(task.id) ?? 1
    const empty = task.scope.find((glob) => !namesFiles(glob, files))
    if (empty !== undefined)
      throw planError(file, at('scope'), `scope "${empty}" of task "${task.id}" matches no file`, scopeHint)
    if (task.worker !== undefined && task.worker !== ownWorker && !/^acp:[\w.-]+$/.test(task.worker))
      throw planError(file, at('worker'), `unknown worker "${task.worker}"`)
    const check = task.until.find((one) => refused.has(one))
    if (check !== undefined)
      throw planError(file, at('until'), `the check "${check}" cannot start`, checkHint)
  }
  const check = plan.until.find((one) => refused.has(one))
  if (check !== undefined)
    throw planError(file, lines.get(':until') ?? 1, `the check "${check}" cannot start`, checkHint)
}

/** Returns the commands that certainly cannot start. */
async function findRefused(commands: readonly string[], place: PlanPlace): Promise<ReadonlySet<string>> {
  const refused = new Set<string>()
  for (const command of new Set(commands)) if (!(await canStart(command, place))) refused.add(command)
  return refused
}

const scopeHint = 'a new file needs its whole path, without wildcards'
const checkHint = 'its program is neither installed nor in the repository'

/**
 * Returns false if a command certainly cannot start, because its program or its package script
 * does not exist.
 */
async function canStart(command: string, { repo, env }: PlanPlace): Promise<boolean> {
  const words = command.trim().split(/\s+/)
  const word = words.find((one) => !/^\w+=/.test(one)) ?? ''
  const script = /^(?:npm|pnpm|yarn)$/.test(word) && words[1] === 'run' ? words[2] : undefined
  if (script !== undefined && !(await hasScript(repo.top, script))) return false
  if (word.includes('/')) return existsSync(join(repo.top, word)) || existsSync(word)
  if (!/^[\w.+-]+$/.test(word) || findProgram(word, env.PATH ?? '')) return true
  // only bash knows its own commands
  const args = ['-c', 'type -t -- "$1"', 'bash', word]
  return (await repo.run({ file: 'bash', args, cwd: repo.top })).exit === 0
}

async function hasScript(top: string, script: string): Promise<boolean> {
  const text = await readFile(join(top, 'package.json'), 'utf8').catch(() => '{}')
  try {
    return Object.hasOwn(JSON.parse(text)?.scripts ?? {}, script)
  } catch {
    return false
  }
}

/**
 * Throws UserError for a task without a check if the plan has no checks for the end of the build, unless
 * `noProof` is set.
 */
function requireChecks({ lines, plan }: ReadPlan, { noProof, file }: PlanPlace): void {
  if (noProof || plan.until.length > 0) return
  const unchecked = plan.tasks.find(({ until }) => until.length === 0)
  if (!unchecked) return
  throw planError(file, lines.get(unchecked.id) ?? 1, `task "${unchecked.id}" has no check`, uncheckedHint)
}

const uncheckedHint = 'write until: with a command, or add --no-proof; the branch is then not proven'

async function requireCarried(repo: GitRepository, path: string): Promise<void> {
  if (!existsSync(join(repo.top, path))) throw new UserError(`cannot carry ${path}: it does not exist`)
  const ignored = await tryGit(repo, repo.top, ['check-ignore', '--quiet', '--', path])
  if (ignored.exit === 0) return
  throw new UserError(`cannot carry ${path}: git does not ignore it`, {
    hint: 'files that git tracks are in every worktree already',
  })
}

// Review of a change by read-only subagents, which run concurrently: one reviewer, if requested, and one
// for each check.
import { UserError } from '../base/errors.ts'
import type { Policy } from '../policy/policy.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { AgentSpawner, SpawnRequest, SpawnResult } from '../tool/agents.ts'
import type { ReviewFinding, ReviewPart, ReviewRequest, ReviewResult } from '../tool/review.ts'
import { collectWorkingTreeChanges, type WorkingTreeChanges } from './change-collection.ts'
import { type AssignedCheck, findChecks, hasChecks, type ReviewCheck } from './checks.ts'
import { runConcurrently } from './concurrency-pool.ts'
import { readFindings, validateFindings } from './findings.ts'
import { checkGoal, retryGoal, reviewerGoal } from './prompt.ts'

/** What a review gets from its caller: policy, directory, model and functions. */
interface ReviewContext {
  policy: Policy
  cwd: string
  run: RunCommand
  spawn: AgentSpawner
  /** Whether the workspace is trusted. Its checks run only in a trusted workspace. */
  trusted: boolean
  /** Model of the subagents. `judges` is false for the built-in model, which can only search and quote. */
  model: { id: string; judges: boolean }
}

/** Largest number of subagents that run at the same time. */
const width = 4

interface PartAnswer {
  part: ReviewPart
  findings: ReviewFinding[]
  notes: string[]
  ends: SpawnResult[]
}

/**
 * Reviews a change. Throws UserError if there is neither a description nor a git repository, for a base that
 * does not exist or cannot be compared, and for a named file outside of the workspace. Throws FailureError if
 * git fails or the signal aborts while the changes are collected.
 */
export async function reviewChanges(
  request: ReviewRequest,
  context: ReviewContext,
  signal: AbortSignal,
): Promise<ReviewResult> {
  const started = Date.now()
  const { policy, cwd, run, trusted } = context
  const { base, description } = request
  const scope = { base, files: request.files }
  const changes = await collectWorkingTreeChanges({ run, cwd, policy, trusted, signal, ...scope })
  if (!changes && description === undefined) {
    throw new UserError(`not a git repository: ${cwd}`, {
      hint: 'run it where git knows what has changed, or use -C DIR',
    })
  }
  const files = changes && changes.files.length > 0 ? changes.files : [...(request.files ?? [])]
  const result: ReviewResult = {
    end: 'done',
    empty: description === undefined && files.length === 0 && request.checks !== 'all',
    findings: [],
    notes: changes?.notes ?? [],
    files,
    parts: [],
    model: context.model.id,
    tokens: 0,
    usd: 0,
    ms: 0,
  }
  if (result.empty) return { ...result, ms: Date.now() - started }

  const { assigned, broken, barred } = await checksOf(request, context, files)
  result.notes.push(...broken)
  if (!context.model.judges) {
    result.notes.push(
      `${context.model.id} only searches and quotes and cannot judge code: nothing was judged, ` +
        'and no finding here means ' +
        'nothing; pass --model provider/model or set the key of a provider',
    )
    return { ...result, end: 'failed', ms: Date.now() - started }
  }
  const answers = await runConcurrently(createJobs(request, context, changes, assigned, signal), width)
  const joined = await joinAnswers(
    context,
    answers,
    barred || broken.length > 0 || changes?.limited !== undefined,
  )
  return {
    ...result,
    ...joined,
    notes: [...result.notes, ...joined.notes],
    ms: Date.now() - started,
  }
}

async function joinAnswers(
  { cwd, policy }: ReviewContext,
  answers: readonly PartAnswer[],
  isIncomplete: boolean,
): Promise<Pick<ReviewResult, 'end' | 'findings' | 'notes' | 'parts' | 'tokens' | 'usd'>> {
  const valid = await validateFindings(
    cwd,
    policy.roots,
    answers.flatMap(({ findings }) => findings),
  )
  const parts = answers.map(({ part }) => ({
    ...part,
    findings: valid.findings.filter(({ check }) => check === (part.check ? part.name : undefined)).length,
  }))
  const ends = answers.flatMap((answer) => answer.ends)
  return {
    end: combineEnds(parts, isIncomplete),
    findings: valid.findings,
    notes: [...answers.flatMap(({ notes }) => notes), ...valid.notes],
    parts,
    tokens: ends.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: ends.reduce<number | null>((sum, { usd }) => (sum === null || usd === null ? null : sum + usd), 0),
  }
}

/**
 * Returns the checks to run. In an untrusted workspace no check may run: the list is empty, and `barred` is
 * true if the root or a directory above `files` has check files.
 */
async function checksOf(
  { checks, only }: ReviewRequest,
  { policy: { roots }, trusted }: ReviewContext,
  files: readonly string[],
): Promise<{ assigned: AssignedCheck[]; broken: string[]; barred: boolean }> {
  if (checks === 'none') return { assigned: [], broken: [], barred: false }
  if (!trusted) {
    const barred = hasChecks(roots, files)
    const why =
      'the checks in .agents/checks did not run: this workspace is not trusted; see `anode trust --status`'
    return { assigned: [], broken: barred ? [why] : [], barred }
  }
  return { ...(await findChecks(roots, files, checks, only)), barred: false }
}

function createJobs(
  request: ReviewRequest,
  context: ReviewContext,
  changes: WorkingTreeChanges | undefined,
  assigned: readonly AssignedCheck[],
  signal: AbortSignal,
): (() => Promise<PartAnswer>)[] {
  const reviewer = () =>
    askSubagent(orderOf(request, 'review', reviewerGoal(request, changes)), context, signal)
  const checks = assigned.map(
    (one) => () =>
      askSubagent(
        orderOf(request, `check ${one.check.name}`, checkGoal(one, request, changes), one.check.tools),
        context,
        signal,
        one.check,
      ),
  )
  return request.reviewer ? [reviewer, ...checks] : checks
}

function orderOf(
  request: ReviewRequest,
  title: string,
  goal: string,
  tools?: readonly string[],
): SpawnRequest {
  return {
    title,
    goal,
    serves: 'code_review',
    readOnly: true,
    timeoutMs: request.timeoutMs,
    profile: request.profile,
    maxTurns: request.maxTurns,
    effort: request.effort,
    tools,
  }
}

/**
 * Runs one subagent. If it ends as done or partial with an answer that cannot be parsed, a second subagent
 * gets the same task, that answer and the errors, unless the signal has aborted.
 */
async function askSubagent(
  order: SpawnRequest,
  context: ReviewContext,
  signal: AbortSignal,
  check?: ReviewCheck,
): Promise<PartAnswer> {
  const first = await context.spawn(order, signal)
  const read = readFindings(first.text, check)
  const canGoOn = (first.end === 'done' || first.end === 'partial') && !signal.aborted
  if (read.ok || !canGoOn) return toPartAnswer([first], read, check)
  const second = await context.spawn(
    { ...order, goal: retryGoal(order.goal, first.text, read.errors) },
    signal,
  )
  return toPartAnswer([first, second], readFindings(second.text, check), check)
}

/**
 * Returns the answer of a subagent. If a limit has stopped the subagent, the answer is marked `partial` even
 * if it has no findings in the right form, because a run with a higher limit may find something.
 */
function toPartAnswer(
  ends: SpawnResult[],
  read: ReturnType<typeof readFindings>,
  check: ReviewCheck | undefined,
): PartAnswer {
  const short = ends.find(({ end }) => end !== 'done')
  const last = ends.at(-1) as SpawnResult
  const name = check?.name ?? 'review'
  const isLimited = short?.end === 'partial' || short?.end === 'limit'
  const how = short && (short.reason ?? short.end)
  const unread = `its answer did not hold findings in the form asked for; see thread ${last.thread}`
  const notes = read.ok
    ? short
      ? [`${name} was cut short: ${how}`]
      : []
    : [`${name} gave no answer: ${how ?? unread}`]
  const part: ReviewPart = {
    name,
    check: check !== undefined,
    end: short ? (read.ok || isLimited ? 'partial' : 'failed') : read.ok ? 'done' : 'failed',
    reason: how ?? (read.ok ? undefined : 'unreadable'),
    threads: ends.map(({ thread }) => thread),
    findings: 0,
  }
  return { part, findings: read.ok ? read.findings : [], notes, ends }
}

function combineEnds(parts: readonly ReviewPart[], isIncomplete: boolean): ReviewResult['end'] {
  if (parts.length > 0 && parts.every(({ end }) => end === 'failed')) return 'failed'
  return isIncomplete || parts.some(({ end }) => end !== 'done') ? 'partial' : 'done'
}

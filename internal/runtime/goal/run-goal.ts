// The check that a run has to pass. Its files are sealed, which means stored as originals, before the first
// request. The check runs when the model answers without calls. If nothing has changed since the last failed
// check, it does not run again and the run ends.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunEnd } from '../../agent/run-end.ts'
import type { RunProof, StopGate, StopVerdict } from '../../agent/stop-gate.ts'
import { UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { EventDraft, EventPayload } from '../../event/event.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { openTreeLister } from '../../proof/base-files.ts'
import { GoalAttempts, type GoalEnd } from '../../proof/goal.ts'
import { openPackageRecord } from '../../proof/package-record.ts'
import { identifyTree, type ProofReceipt, proveSealed } from '../../proof/prove.ts'
import { type CheckSeal, readSeal, sealTree } from '../../proof/seal.ts'
import type { FileMemory } from '../../proof/tree-state.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { createCheckRunner } from './check-runner.ts'
import { describeFailedCheck } from './goal-message.ts'
import { type GoalTerms, isAction } from './goal-record.ts'

export interface GoalRequest {
  terms: GoalTerms
  /**
   * True if the goal starts with this run. Then the present files of the check are sealed, which means
   * stored as originals.
   */
  isNew: boolean
  /** Earlier checks of the goal. */
  history: readonly EventPayload<'check.ran'>[]
  /** Whether a call since the last check could have changed something. */
  hasActed: boolean
  /**
   * The check before the first request; ignored for a goal that does not start with this run. `must-fail`: if
   * it passes, the run does not start.
   */
  firstCheck: 'run' | 'skip' | 'must-fail'
  /** Context of the run, whose record gets the events. */
  ctx: Ctx
  /** Data directory, for the seal. */
  data: string
  note(text: string): void
}

/** The check of a run. */
interface RunGoal extends StopGate {
  /**
   * Records the start of a new goal and its first check, if that ran before the run. Called once the
   * run has begun.
   */
  announce(): Promise<void>
  /** Runs the check once, outside of a run, and records it unless it was interrupted. */
  checkNow(): Promise<void>
}

/**
 * Age in milliseconds from which the next new goal removes a seal, the stored original files of a
 * check: 30 days.
 */
const maxSealAge = 30 * 24 * 3_600_000

/**
 * Stores the original files of the check (the seal) and runs the first check unless it is skipped, or reads
 * the seal of a resumed goal. Throws UserError if a command cannot start, the seal is missing or damaged, or
 * the check passes although it must not, and FailureError if git fails.
 */
export async function openRunGoal(request: GoalRequest): Promise<RunGoal> {
  const { terms, ctx, data, isNew } = request
  const parent = join(data, 'proof')
  const folder = join(parent, terms.id)
  const run = ctx.can.processes.run as RunCommand
  if (isNew) await removeOldSeals(parent)
  makeDirectory(folder, 0o700)
  const list = await openTreeLister(run, ctx.cwd, folder)
  const place = { workspace: ctx.cwd, folder, list, packages: openPackageRecord(data, ctx.cwd) }
  const seal = isNew ? await sealTree({ ...terms, ...place }) : await readSeal(place)
  const goal = new SealedGoal(request, folder, seal)
  if (isNew)
    await goal.start().catch(async (error: unknown) => {
      await rm(folder, { recursive: true, force: true })
      throw error
    })
  return goal
}

async function removeOldSeals(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!/^[gp]-/.test(name)) continue
    const path = join(parent, name)
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now())
    if (age > maxSealAge) await rm(path, { recursive: true, force: true })
  }
}

type CheckRun = EventPayload<'check.ran'>

interface LastCheck {
  proof: ProofReceipt
  call: string
  sandbox: string
}

class SealedGoal implements RunGoal {
  readonly #request: GoalRequest
  readonly #folder: string
  readonly #seal: CheckSeal
  readonly #attempts: GoalAttempts
  /** Events of the start, which are recorded once the run has begun. */
  readonly #opening: EventDraft[] = []
  /** Hashes of files that earlier checks have computed, which stay valid until a file changes. */
  readonly #known: FileMemory = new Map()
  #hasActed: boolean
  #last: LastCheck | undefined

  constructor(request: GoalRequest, folder: string, seal: CheckSeal) {
    this.#request = request
    this.#folder = folder
    this.#seal = seal
    this.#attempts = new GoalAttempts(request.terms.attempts, request.history)
    this.#hasActed = request.hasActed
  }

  /**
   * Runs the check before the first request, unless `firstCheck` is `skip`, and keeps the
   * events for `announce`.
   */
  async start(): Promise<void> {
    const { terms, firstCheck, ctx, note } = this.#request
    this.#opening.push({ type: 'goal.changed', payload: { goal: { ...terms } } })
    if (firstCheck === 'skip') return
    const draft = await this.#check(0, await this.#identify(), false)
    if (ctx.signal.aborted) return
    this.#opening.push(draft)
    if (draft.payload.state !== 'proven') return
    if (firstCheck === 'must-fail')
      throw new UserError('the check passes already', {
        hint: 'name a check that fails until the task is done, or leave out --until-red',
      })
    note(`the check passes already: ${terms.commands.join(', ')}`)
  }

  async announce(): Promise<void> {
    for (const draft of this.#opening.splice(0)) await this.#request.ctx.log.append(draft)
  }

  observe(draft: EventDraft): void {
    if (isAction(draft)) this.#hasActed = true
  }

  async checkNow(): Promise<void> {
    const { ctx } = this.#request
    const draft = await this.#check(this.#attempts.count + 1, await this.#identify())
    if (ctx.signal.aborted) return
    this.#add(draft.payload)
    await ctx.log.append(draft)
  }

  async atStop(answer: string): Promise<StopVerdict | undefined> {
    const { ctx } = this.#request
    const tree = await this.#identify()
    const idle = this.#attempts.endWithoutChange(tree, this.#hasActed)
    if (idle) return { end: endOf(idle, answer, this.#last?.proof.changed ?? []) }
    const attempt = this.#attempts.count + 1
    const draft = await this.#check(attempt, tree)
    // an interrupted check is not recorded and does not count as an attempt
    if (ctx.signal.aborted) return undefined
    const end = this.#add(draft.payload)
    await ctx.log.append(draft)
    this.#hasActed = false
    const { proof, call } = this.#last as LastCheck
    if (proof.state === 'proven') return undefined
    if (end) return { end: endOf(end, answer, proof.changed) }
    return { message: describeFailedCheck({ proof, call, attempt, limit: this.#attempts.limit }) }
  }

  proof(): RunProof {
    const attempts = this.#attempts
    const { proof, call = '', sandbox = 'none' } = this.#last ?? {}
    const { state = 'unproven', reason, tree = '', checks = [], changed = [], allowed = [] } = proof ?? {}
    return {
      state,
      reason,
      attempts: attempts.count,
      limit: attempts.limit,
      before: attempts.before,
      flaky: attempts.isFlaky || undefined,
      tree,
      sandbox,
      checks: checks.map((check) => ({ ...ranOf(check), output: call })),
      sealed: [...this.#seal.sealed],
      changed: [...changed],
      allowed: [...allowed],
    }
  }

  #add(run: CheckRun): GoalEnd | undefined {
    return this.#attempts.add(run)
  }

  /** Returns a hash of all present files, which changes with each change of a file. */
  #identify(): Promise<string> {
    return identifyTree(this.#request.ctx.cwd, this.#seal.list, this.#known)
  }

  /**
   * Runs the check once and returns its event. `on` is the hash of the present files. With `mayNotStart`, a
   * command that cannot start is a failed check and not an error.
   */
  async #check(attempt: number, on: string, mayNotStart = true) {
    const { terms, ctx, note } = this.#request
    const outputs: string[] = []
    const { commands, allow, network } = terms
    const tell = (check: EventPayload<'check.running'>['check']) =>
      ctx.log.append({ type: 'check.running', payload: { check } })
    const runner = createCheckRunner({
      ctx,
      timeoutMs: terms.timeout_ms,
      network,
      note,
      begin: (command, isCheckout) => {
        const originals = isCheckout ? 'restored' : 'kept'
        return tell({ command, attempt, limit: terms.attempts, originals })
      },
      keep: (output) => outputs.push(output),
    })
    const run = ctx.can.processes.run as RunCommand
    const place = { workspace: ctx.cwd, folder: this.#folder, known: this.#known }
    const request = { commands, allow, ...place, run, check: runner.check, mayNotStart }
    // after the check, the screens stop showing it, even if it was interrupted or could not start
    const proof = await proveSealed(request, this.#seal).finally(() => tell(null))
    const call = `check_${attempt}`
    this.#last = { proof, call, sandbox: runner.sandbox() }
    const { state, reason, tree, checks, changed } = proof
    const text = checks.find(({ exit }) => exit !== 0)?.output ?? ''
    const store = await ctx.can.records.store?.()
    const whole = store?.blobs.put(Buffer.from(outputs.join('\n')))
    const facts = { call, attempt, limit: terms.attempts, state, reason, tree, on, text, whole }
    const payload: CheckRun = { ...facts, checks: checks.map(ranOf), changed: [...changed] }
    if (attempt === 0) this.#add(payload)
    return { type: 'check.ran' as const, payload }
  }
}

const ranOf = ({ command, exit, ms, ended: endReason, originals }: ProofReceipt['checks'][number]) => ({
  command,
  exit,
  ms,
  ended: endReason,
  originals,
})

function endOf(reason: GoalEnd, text: string, changed: readonly string[]): RunEnd {
  if (reason !== 'tampered') return { end: 'partial', reason, text }
  const message = `files that define the check stay changed: ${changed.join(', ')}`
  return { end: 'failed', reason, message, text }
}

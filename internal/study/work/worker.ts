// Works on one task to a typed end: claims the lease, talks, records claims and end in one write, gives the lease back.

import { messageOf, UserError } from '../../base/errors.ts'
import { timeLimit } from '../../base/time-limit.ts'
import type { Model, ToolSpec } from '../../model/model.ts'
import type { Fence, Job, Journal, Line } from '../../store/journal/journal.ts'
import { Standstill } from '../../store/journal/place.ts'
import type { Listed } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { LeaseHeld } from '../engine.ts'
import { endKey, isLimited, isOver } from '../lead/schedule.ts'
import { fold, type StudyState } from '../state.ts'
import { type Entries, entry, type Head, type Task, type TaskEnd } from '../study.ts'
import { brief } from './brief.ts'
import { admit } from './closing.ts'
import { endOf, type Judged, judge } from './ends.ts'
import { guard } from './guard.ts'
import { freeMail, openPost } from './post.ts'
import { Fenced } from './stop.ts'
import { type Setting, type Talk, takeUp } from './talk.ts'
import about from './work.md'

/** What a worker needs of its surroundings. */
export interface Seat {
  journal: Journal
  /** `<host>-<pid>` and more: who holds leases. */
  owner: string
  pid: number
  host: string
  leaseMs: number
  beatMs: number
  /** Throws UserError when this machine has not the study's model. */
  model(head: Head): Promise<Model>
  /** Tools and context of one task; the context's signal is the one given. */
  desk(head: Head, task: Task, signal: AbortSignal): Promise<{ tools: Listed[]; specs: ToolSpec[]; ctx: Ctx }>
}

/** A task is tried this often; what is given back in order does not count. */
export const attempts = 2

/** Workers without the study's model that may pass a task on before it fails. */
const refusals = 5

/** Share of the budget that work may use; the rest is for the report. */
export const workShare = 0.85

/** Runs until the task has an end, `soft` aborts (the step under way is finished), or the lease is lost. Throws LeaseHeld while somebody else has it. */
export async function work(job: Job, seat: Seat, soft: AbortSignal): Promise<void> {
  const { journal, owner, leaseMs } = seat
  const claimed = await journal.claim(job, owner, leaseMs)
  if (claimed.state === 'busy') throw new LeaseHeld(claimed.untilMs)
  if (claimed.state !== 'ok') return
  const fence: Fence = { task: job.task, epoch: claimed.epoch, owner }
  try {
    const ended = await hold(job, fence, seat, soft)
    await journal.release(job.study, job.task, owner, ended)
  } catch (error) {
    if (error instanceof Fenced) return
    // nothing can be written down before somebody has given the study back
    if (error instanceof Standstill) throw error
    // trouble with the journal itself cannot be written down: then the lease ends by itself
    await fail(job, fence, seat, messageOf(error)).catch(() => undefined)
    throw error
  }
}

/** What nobody expected counts as an attempt, and is told. */
async function fail({ study }: Job, fence: Fence, { journal }: Seat, why: string): Promise<void> {
  const line = entry('task.lost', { ...fence, why }, `lost:${fence.task}:${fence.epoch}`)
  await journal.append(study, [line], fence)
  await journal.release(study, fence.task, fence.owner, false)
}

/** Whether nobody is to work on the task any more. Throws Fenced. */
async function hold({ study }: Job, fence: Fence, seat: Seat, soft: AbortSignal): Promise<boolean> {
  const { journal } = seat
  const lines = await readAll(journal, study)
  const state = fold(lines)
  const known = state.tasks.get(fence.task)
  if (!known) return true
  if (isOver(known)) return !isLimited(known)
  const lost = lines.flatMap(({ kind, data }) =>
    kind === 'task.lost' && data['task'] === fence.task ? [data] : [],
  )
  const attempt = lost.filter(({ free }) => free !== true).length + 1
  const append = async (...batch: Parameters<Journal['append']>[1]) => {
    const done = await journal.append(study, batch, fence)
    if (done.state !== 'ok') throw new Fenced()
  }
  const finish = async (result: TaskEnd, before: Parameters<Journal['append']>[1] = []) => {
    await append(...before, entry('task.ended', { task: fence.task, result }, endKey(known)))
    if (isLimited({ result })) return false
    await journal.mail.leave(`study:${study}`, fence.task)
    return true
  }
  const pass = async (why: string, free: boolean) => {
    const data: Entries['task.lost'] = { ...fence, why, ...(free && { free: true }) }
    await append(entry('task.lost', data, `lost:${fence.task}:${fence.epoch}`))
    return false
  }
  if (fence.epoch > 1) await freeMail(journal.mail, `study:${study}`, fence.task, lines)
  const nothing = { claims: [], gaps: [known.task.objective] }
  if (attempt > attempts) return finish({ end: 'failed', reason: 'lost', ...nothing, spent: none })

  let model: Model
  try {
    model = await seat.model(state.head)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const refused = lost.filter(({ why }) => why === lacking).length + 1
    if (refused < refusals) return pass(lacking, true)
    return finish({ end: 'failed', reason: lacking, detail: messageOf(error), ...nothing, spent: none })
  }
  const { pid, host } = seat
  await append(entry('task.started', { ...fence, attempt, pid, host }))
  const began = performance.now()
  const { judged, talk } = await discuss(known.task, state, lines, fence, model, seat, soft)
  const ms = Math.round(talk.spent.ms + performance.now() - began)
  const spent = { ...talk.spent, ms, steps: talk.steps }
  switch (judged.next) {
    case 'drop':
      throw new Fenced()
    case 'back':
      return pass('given back', true)
    case 'retry':
      if (attempt < attempts) return pass(`${judged.reason}: ${judged.detail}`, false)
      return finish({ end: 'failed', reason: judged.reason, detail: judged.detail, ...nothing, spent })
    case 'end': {
      const { next: _, ...typed } = judged
      return finish({ ...typed, ...nothing, spent })
    }
    case 'record': {
      const citable = new Map([...needed(known.task, state), ...talk.evidence])
      const { claims, refused } = admit(judged.closing, fence.task, citable)
      const gaps = [...judged.closing.gaps, ...refused.map((what) => `refused, nobody has read ${what}`)]
      const result = { ...endOf(claims, gaps, judged.cut), spent }
      return finish(
        result,
        claims.map((claim) => entry('claim', claim, `claim:${claim.id}`)),
      )
    }
    default:
      return finish({ end: 'failed', reason: 'bad_result', ...nothing, spent })
  }
}

const lacking = 'model_unavailable'
const none = { tokens: 0, usd: 0, steps: 0, ms: 0 }

const needed = (task: Task, { evidence }: StudyState) =>
  [...evidence].filter(([, one]) => task.dependsOn.includes(one.task))

const correction = (error: string) =>
  `That is not the closing JSON object (${error}). Reply with {"claims": […], "gaps": […]} and nothing else.`
const last =
  'Nothing new is coming in. Reply now with the closing JSON object: what you have as claims, the rest as gaps.'

/** Talks until there is something to record, asking once more where that can help. */
async function discuss(
  task: Task,
  state: StudyState,
  lines: readonly Line[],
  fence: Fence,
  model: Model,
  seat: Seat,
  soft: AbortSignal,
): Promise<{ judged: Judged; talk: Talk }> {
  const { journal } = seat
  const { head } = state
  const scope = `study:${head.id}`
  const post = openPost(journal.mail, scope, task.id, `${fence.owner} ${fence.epoch}`)
  await journal.mail.join(scope, task.id)
  const hard = new AbortController()
  const { leaseMs, beatMs } = seat
  const watched = {
    journal,
    study: head.id,
    fence,
    leaseMs,
    beatMs,
    deadline: head.deadline,
    post,
    signal: soft,
  }
  const watch = guard({ ...watched, after: state.seq }, () => hard.abort(new Fenced()))
  try {
    const signal = AbortSignal.any([hard.signal, timeLimit(head.deadline - Date.now())])
    const desk = await seat.desk(head, task, signal)
    const { budget } = head
    const setting: Setting = {
      ...desk,
      model,
      purse: {
        journal,
        study: head.id,
        fence,
        task: task.id,
        share: workShare,
        cap: budget.perWorkerTokens === undefined ? {} : { tokens: budget.perWorkerTokens },
        priced: budget.usd !== undefined,
        cwd: desk.ctx.cwd,
      },
      system: about.trim(),
      opening: brief(task, state),
      purpose: task.kind,
      input: { objective: task.objective, terms: task.terms },
      maxSteps: head.maxSteps,
      deadline: head.deadline,
      post,
      check: () => watch.check(),
    }
    let talk = takeUp(setting, lines)
    let judged = judge(await talk.proceed(), talk.stopped)
    if (judged.next === 'close') {
      // a stopped conversation is not gone on with: its record is taken up for one more reply
      talk = takeUp(setting, await readAll(journal, head.id))
      judged = closed(judge(await talk.insist(last), talk.stopped))
    } else if (
      judged.next === 'again' &&
      !talk.notes.some((note) => note.startsWith(correction('').slice(0, 30)))
    ) {
      const { cut } = judged
      judged = judge(await talk.insist(correction(judged.error)), talk.stopped)
      if (judged.next === 'record' && cut !== undefined) judged = { ...judged, cut }
    }
    return { judged, talk }
  } finally {
    watch.close()
  }
}

/** Whatever a stalled worker says at last, it has stalled. */
function closed(judged: Judged): Judged {
  if (judged.next === 'record') return { ...judged, cut: 'stalled' }
  if (judged.next === 'again' || judged.next === 'close') {
    return { next: 'record', closing: { claims: [], gaps: [] }, cut: 'stalled' }
  }
  return judged
}

async function readAll(journal: Journal, study: string): Promise<Line[]> {
  const lines: Line[] = []
  for (;;) {
    const page = await journal.read(study, lines.at(-1)?.seq ?? 0, 500)
    lines.push(...page)
    if (page.length < 500) return lines
  }
}

// The report of a study as data, made from the state of the study.

import { tokenFields } from '../../base/text/token-kinds.ts'
import { findContradictions } from '../../text-analysis/contradictions.ts'
import { type ClaimPlace, claimStateOf, placesOf, type StudyClaim, type StudyHead } from '../log/entries.ts'
import type { StudyFindings } from '../log/merged-claims.ts'
import { computeCitationAccuracy, computeCoverage, computeSupport, decideExitCode } from '../log/outcome.ts'
import { viewRound } from '../log/round.ts'
import type { StudyState } from '../log/state.ts'
import type { StudyCorpus, StudyLimits } from '../log/study-conditions.ts'
import { nameOutcome, type TaskState, tookMs } from '../log/task-end.ts'
import { findCitedClaims } from '../verify/citations.ts'
import { composeReportByRule, composeSections } from './aggregation.ts'
import type {
  AnswerBasis,
  ReportDocument,
  ReportedAsk,
  ReportedClaim,
  ReportedPlace,
  ReportedSource,
  ReportedTask,
} from './report-document.ts'
import { linkToPlace, placeName, quoteLocator, type ReportSource, sourcesOf } from './sources.ts'

/**
 * Returns the report on all questions of a study; with `round`, only on the question with that number. Throws
 * Error if the study has no such question.
 */
export function documentOf(study: StudyState, round?: number): ReportDocument {
  const state = viewRound(study, round ?? 0)
  const { head, plan } = state
  const asks = round === undefined ? study.rounds.slice(1).map((_, i) => viewRound(study, i + 1)) : []
  const claims = [...state.claims.values()]
  const sources = sourcesOf([state, ...asks].flatMap(claimsAsCited), state.evidence)
  const report = reportOf(state)
  return {
    version: 1,
    id: head.id,
    question: head.question,
    status: state.status,
    outcome: nameOutcome({ model: head.model, status: state.status, reason: state.reason }),
    reason: state.reason ?? null,
    exit: decideExitCode(state),
    created: new Date(head.created).toISOString(),
    wall_ms: Math.max(0, state.updated - beganReading(state)),
    ...reportedConditions(head),
    plan: {
      of: plan?.of ?? null,
      not_split: plan?.notSplit ?? null,
      dropped: plan?.dropped.map(({ objective, reason }) => ({ objective, reason })) ?? [],
    },
    tasks: [...state.tasks.values()].map((at) => reportedTask(at, state)),
    coverage: roundShare(computeCoverage(state)),
    citation_accuracy: computeCitationAccuracy(state),
    support: computeSupport(state),
    min_citation: head.minCitation,
    min_support: head.minSupport ?? 0,
    aggregator_failed: claims.length === 0 ? null : (report.failed ?? null),
    sections: composedSections(state),
    uncited: report.uncited,
    unverified_answers: [...state.prose.values()],
    answered_from: state.round === 0 ? null : basisOf(state),
    asks: asks.map(reportedAsk),
    claims: [state, ...asks].flatMap((view) =>
      [...view.claims.values()].map((claim) => reportedClaim(claim, view, sources)),
    ),
    sources: sources.map((source) => reportedSource(source, state)),
    ...reportedReading(head),
    contradictions: findContradictions(claims).map(([a, b]) => [a.id, b.id]),
    gaps: gapsOf(state),
    ...reportedTotals(state, study.recorded),
  }
}

const reportOf = (state: StudyState) => state.report ?? composeReportByRule(state, 'it has not run')

const composedSections = (state: StudyState) =>
  composeSections(reportOf(state).markdown, [...state.claims.values()], state)

/** Returns the claims in the order in which the sections first cite them, then all others. */
function claimsAsCited(state: StudyState): StudyClaim[] {
  const { answer, findings, contradictions, gaps } = composedSections(state)
  const cited = findCitedClaims([answer, findings, contradictions, gaps].join('\n'))
  return [...new Set([...cited.flatMap((id) => state.claims.get(id) ?? []), ...state.claims.values()])]
}

/**
 * Returns the time at which reading began, in ms since 1970. For the first question it is the start of the
 * survey, which reads every document. Further questions have no survey.
 */
function beganReading({ round, head }: StudyState): number {
  return round === 0 && head.surveyed ? Math.min(head.surveyed.at, head.created) : head.created
}

/** Returns the totals of the whole study, over all questions. `recorded` are the claims of all of them. */
function reportedTotals(state: StudyState, recorded: StudyState['recorded']) {
  const { head, usage } = state
  return {
    evidence: {
      all: state.evidence.size,
      unique: new Set([...state.evidence.values()].map((one) => `${one.canonical}\n${one.locator}`)).size,
    },
    limits: reportedLimits(head, head.created),
    tokens: usage.input + usage.output,
    usage: tokenFields(usage),
    usd: usage.usd,
    tokens_estimated: usage.estimated,
    steps: usage.steps,
    messages: state.mail.count,
    repaid_steps: state.repaid,
    duplicate_claims: countDuplicates([...recorded.values()]),
    // Notices are sorted, because their order would otherwise depend on the speed of the workers.
    notices: [...state.notices, ...describeModelSwitch(state), ...describeNoted(head)]
      .map(({ code, text }) => ({ code, text }))
      .sort((a, b) => (`${a.code} ${a.text}` < `${b.code} ${b.text}` ? -1 : 1)),
  }
}

/**
 * Returns notices about files that were read although their encoding is a guess, or parts of them
 * are not shown.
 */
const describeNoted = ({ noted = [] }: StudyCorpus) =>
  noted.map(({ path, why }) => ({ code: 'read_with_note', text: `${path}: ${why}` }))

/**
 * Returns a notice with the models that responded, if a fallback model did, because a result has to say which
 * model made it.
 */
function describeModelSwitch({ head, repliedBy }: StudyState): { code: string; text: string }[] {
  const [first] = head.model.name.split(',')
  const others = [...repliedBy.keys()].filter((model) => model !== first)
  if (others.length === 0) return []
  const counts = [...repliedBy].map(([model, steps]) => `${model} ${steps}`)
  const text = `${first} could not serve all of it; by number of replies: ${counts.sort().join(', ')}`
  return [{ code: 'model_switched', text }]
}

/** Returns the conditions under which the question was studied. */
function reportedConditions(head: StudyHead) {
  return {
    model: head.model,
    engine: head.engine,
    workers: head.workers,
    seed: head.seed,
    max_steps: head.maxSteps,
    allowed_sources: [...head.sources],
    baseline: head.baseline,
    root: head.root,
    corpus: head.corpus,
  } satisfies Partial<ReportDocument>
}

function reportedReading({ read, skipped, skippedMore }: StudyCorpus) {
  return {
    read: read ? { files: read.files, bytes: read.bytes } : null,
    skipped: (skipped ?? []).map(({ path, why }) => ({ path, why })),
    skipped_more: skippedMore ?? 0,
  } satisfies Partial<ReportDocument>
}

/**
 * Returns which evidence the answer uses: evidence of tasks of the same question (`search`, also without any
 * evidence), of earlier questions (`filed`), or of both.
 */
function basisOf({ claims, evidence, tasks }: StudyState): AnswerBasis {
  const cited = [...claims.values()].flatMap((claim) => evidence.get(claim.evidence) ?? [])
  const ownCount = cited.filter(({ task }) => tasks.has(task)).length
  if (ownCount === cited.length) return 'search'
  return ownCount === 0 ? 'filed' : 'both'
}

function reportedAsk(state: StudyState): ReportedAsk {
  const claims = [...state.claims.values()]
  const report = reportOf(state)
  return {
    question: state.head.question,
    answered_from: basisOf(state),
    status: state.status,
    reason: state.reason ?? null,
    exit: decideExitCode(state),
    created: new Date(state.head.created).toISOString(),
    tasks: [...state.tasks.keys()],
    coverage: roundShare(computeCoverage(state)),
    citation_accuracy: computeCitationAccuracy(state),
    support: computeSupport(state),
    aggregator_failed: claims.length === 0 ? null : (report.failed ?? null),
    sections: composedSections(state),
    uncited: report.uncited,
    claims: claims.map(({ id }) => id),
    gaps: gapsOf(state),
  }
}

const gapsOf = ({ tasks }: StudyState) =>
  [...tasks.values()].flatMap(({ task, result }) =>
    (result?.gaps ?? []).map((gap) => ({ task: task.id, gap })),
  )

function reportedLimits(
  { budget, deadline, allowedMs }: StudyLimits,
  created: number,
): ReportDocument['limits'] {
  return {
    tokens: budget.tokens ?? null,
    usd: budget.usd ?? null,
    per_worker_tokens: budget.perWorkerTokens ?? null,
    seconds: Math.round((allowedMs ?? deadline - created) / 1000),
  }
}

function reportedSource(source: ReportSource, { sources, head }: StudyState): ReportedSource {
  const { canonical, locator } = source
  const facts = sources.get(canonical)
  const { canonical: _name, link: _link, ...otherFacts } = facts ?? { canonical }
  const link = linkToPlace(facts, head.root, locator)
  return { ...source, place: placeName(canonical, locator), ...otherFacts, link }
}

function reportedTask(at: TaskState, { standIns }: StudyFindings): ReportedTask {
  const { task, result, notRun, attempts } = at
  return {
    id: task.id,
    kind: task.kind,
    objective: task.objective,
    end: notRun === undefined ? (result?.end ?? 'open') : 'not_run',
    reason: notRun ?? result?.reason ?? null,
    detail: result?.detail ?? null,
    claims: [...new Set((result?.claims ?? []).map((id) => standIns.get(id) ?? id))],
    gaps: [...(result?.gaps ?? [])],
    attempts,
    tokens: result?.spent.tokens ?? 0,
    usd: result ? result.spent.usd : 0,
    steps: result?.spent.steps ?? 0,
    wall_ms: tookMs(at),
  }
}

function reportedClaim(
  claim: StudyClaim,
  state: StudyState,
  sources: readonly ReportSource[],
): ReportedClaim {
  const { id, task, text, quote, key, stance, confidence, evidence } = claim
  const filed = state.evidence.get(evidence)
  const verdict = state.verdicts.get(id)
  const places = placesOf(claim).map((place) => reportedPlace(place, state))
  return {
    id,
    task,
    text,
    quote,
    key,
    heading: filed?.heading,
    stance,
    confidence,
    evidence,
    source: sources.find(({ claims }) => claims.includes(id))?.n ?? null,
    place: places[0]?.place ?? null,
    places,
    state: verdict ? claimStateOf(verdict) : 'not_found',
    verified: verdict?.verified === true,
    reason: verdict ? (verdict.reason ?? null) : 'not_checked',
    source_changed: verdict?.sourceChanged === true,
    link: places[0]?.link,
  }
}

function reportedPlace(
  { evidence, quote }: ClaimPlace,
  { evidence: all, sources, head }: StudyState,
): ReportedPlace {
  const filed = all.get(evidence)
  if (!filed) return { evidence, quote, place: null }
  const locator = quoteLocator(quote, filed)
  const link = linkToPlace(sources.get(filed.canonical), head.root, locator)
  return { evidence, quote, place: placeName(filed.canonical, locator), link }
}

function countDuplicates(claims: readonly StudyClaim[]): number {
  const uniqueClaims = new Set(
    claims.map(({ task, text, evidence, quote }) => [task, text, evidence, quote].join('\n')),
  )
  return claims.length - uniqueClaims.size
}

const roundShare = (share: number) => Math.round(share * 100) / 100

// What a request contains of the work and its searches: the words that were searched, and the passages that
// a search found, from the data of its result.

import { isObject } from '../../base/untrusted-json.ts'
import type { SynthesiseInput, SynthesisFinding } from '../../text-analysis/synthesis.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { ModelMessage, ResultEvidence } from '../model.ts'
import { contentText } from '../tokens.ts'

interface ShownQuote {
  from: number
  to: number
  key: number
  /** First and last line of each piece, if the quote leaves out lines between them. */
  pieces?: readonly (readonly [number, number])[]
  /** True if the definition continues after the quote. */
  continues?: boolean
  /** Indices of the parts of the question that the quote answers; undefined if it answers none of them. */
  tells?: number[]
}

/** A passage that the tool `finder` returned. */
export interface ShownHit {
  path: string
  /** 1-based number of the first line. */
  line: number
  lines: string[]
  /** Lines outside of the passage that its quotes may contain too. */
  frame?: readonly { line: number; text: string }[]
  heading: string
  kind: string
  score: number
  /** Position in a document such as a PDF. The line numbers then count the lines of the extracted text. */
  place?: string
  /** The best quote of the passage: its lines, and as `key` the line that says most about the question. */
  best: ShownQuote
  /**
   * Lines of a second quote of this passage. `share` is the part of the question's words that it contains,
   * relative to the first quote.
   */
  second?: ShownQuote & { share: number }
  /** A name that a better passage refers to, if this passage defines the value of that name. */
  follows?: string
  /** Index of the part of the question for which the passage was found. */
  part: number
  /** Id under which a study stored the passage as evidence. */
  evidence?: string
}

export interface SearchOutcome {
  /** True if the search was made. `failure` is set if it did not finish. */
  called: boolean
  failure?: string
  hits: ShownHit[]
  verdict: 'found' | 'partial' | 'nothing'
  /** Share of the question's words that the passages contain, as a text with two decimals. */
  coverage: string
  missing: string[]
  /** Kinds of values that the question asks for, such as a number, and that no quote contains. */
  lacking: string[]
  /** Positions at which words of the question occur without an explanation. */
  mentions: string[]
  nearest: string[]
  /** What the search has read, as text: `1,623 files, 16 MB, 1.9 s`. */
  read: string
  /**
   * Notes of the search about skipped files, with the reasons, or about a question without words
   * to search for.
   */
  remarks: string[]
  /** Advice for the case that question and files have different languages. */
  foreign?: string
}

/**
 * Largest number of searches for one question. A search is repeated if its data was lost, as after a crash.
 */
const maxSearches = 2

/**
 * Returns the result of the last passage search in the messages from index `from`. `called` is false without
 * a search, and for a search that has to be repeated because its data was lost. After `maxSearches` searches,
 * lost data is a failure.
 */
export function readSearchOutcome(messages: readonly ModelMessage[], from: number): SearchOutcome {
  const calls = new Map<string, string | undefined>()
  const results: (ModelMessage & { role: 'tool' })[] = []
  for (const message of messages.slice(from)) {
    for (const call of message.role === 'assistant' ? (message.calls ?? []) : [])
      if (call.name === 'finder') calls.set(call.id, textAt(call.args, 'mode'))
    if (message.role === 'tool' && calls.get(message.callId) === 'passage') results.push(message)
  }
  const last = results.at(-1)
  if (!last) return emptyOutcome(false)
  if (last.failed) return { ...emptyOutcome(true), failure: contentText(last.content).split('\n')[0] ?? '' }
  const outcome = readPassages(last.data)
  if (!outcome)
    return results.length < maxSearches
      ? emptyOutcome(false)
      : { ...emptyOutcome(true), failure: 'the result of finder has no data' }
  for (const [i, hit] of outcome.hits.entries()) {
    const evidence = evidenceOf(hit, i, last.evidence ?? [])
    if (evidence !== undefined) hit.evidence = evidence
  }
  const ms = jsonAt(jsonAt(last.data).read).ms
  if (typeof ms === 'number' && outcome.read !== '') outcome.read += `, ${(ms / 1000).toFixed(1)} s`
  return outcome
}

/**
 * Returns the passages that a study filed earlier; no passages if `data` has another form. In `data`, each
 * path is the id of the evidence, a slash and the path of the source.
 */
export function readFiledPassages(data: unknown): SearchOutcome {
  const outcome = readPassages(data) ?? emptyOutcome(true)
  for (const hit of outcome.hits) {
    const [, id, path] = /^([^/]+)\/(.*)$/s.exec(hit.path) ?? []
    if (id !== undefined && path !== undefined) Object.assign(hit, { evidence: id, path })
  }
  return outcome
}

const emptyOutcome = (called: boolean): SearchOutcome => ({
  called,
  hits: [],
  verdict: 'nothing',
  coverage: '0.00',
  missing: [],
  lacking: [],
  mentions: [],
  nearest: [],
  read: '',
  remarks: [],
})

const verdicts = ['found', 'partial', 'nothing'] as const

/** Reads the data of a passage search; undefined if `data` has another form. */
function readPassages(data: unknown): SearchOutcome | undefined {
  if (!isObject(data) || !Array.isArray(data.results) || !Array.isArray(data.remarks)) return undefined
  const coverage = jsonAt(data.coverage)
  const outcome = emptyOutcome(true)
  outcome.hits = data.results.filter(isObject).map(readHit)
  outcome.verdict = verdicts.find((verdict) => verdict === coverage.verdict) ?? 'nothing'
  outcome.coverage = numberAt(coverage, 'share').toFixed(2)
  outcome.missing = textsAt(coverage, 'missing')
  for (const remark of data.remarks) addRemark(outcome, textAt(remark, 'about'), textAt(remark, 'text') ?? '')
  if (outcome.verdict === 'nothing') outcome.nearest = textsAt(coverage, 'headings')
  return outcome
}

function addRemark(outcome: SearchOutcome, about: string | undefined, text: string): void {
  if (about === 'lacking') outcome.lacking.push(text)
  else if (about === 'mention') outcome.mentions.push(text)
  else if (about === 'read') outcome.read = text.replace(/^read /, '')
  else if (about === 'language') outcome.foreign = text
  else if (about === 'skipped' || about === 'words') outcome.remarks.push(text)
}

function readHit(hit: Record<string, unknown>): ShownHit {
  const { second } = hit
  const line = numberAt(hit, 'line')
  const place = textAt(hit, 'place')
  const follows = textAt(hit, 'follows')
  return {
    path: textAt(hit, 'path') ?? '',
    line,
    lines: (textAt(hit, 'text') ?? '').split('\n'),
    frame: readFrame(hit.frame),
    // If a definition has no title above it, its heading is the name of its symbol.
    heading: textAt(hit, 'heading') || (textAt(hit, 'symbol') ?? '').split(' ').slice(0, 3).join(' '),
    kind: textAt(hit, 'kind') ?? '',
    place,
    follows,
    score: numberAt(hit, 'score'),
    best: readQuote(hit.best, line),
    second: isObject(second) ? { ...readQuote(second, line), share: numberAt(second, 'share') } : undefined,
    part: numberAt(hit, 'part'),
  }
}

function readQuote(quote: unknown, line: number): ShownQuote {
  const fields = jsonAt(quote)
  const tells = Array.isArray(fields.tells) ? fields.tells.filter((part) => typeof part === 'number') : []
  return {
    from: numberAt(fields, 'line', line),
    to: numberAt(fields, 'end_line', line),
    key: numberAt(fields, 'key', line),
    pieces: readPieces(fields.pieces),
    continues: fields.continues === true || undefined,
    tells: tells.length > 0 ? tells : undefined,
  }
}

function readFrame(value: unknown): ShownHit['frame'] {
  const lines = Array.isArray(value) ? value.filter(isObject) : []
  if (lines.length === 0) return undefined
  return lines.map((one) => ({ line: numberAt(one, 'line'), text: textAt(one, 'text') ?? '' }))
}

function readPieces(value: unknown): ShownQuote['pieces'] {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((piece) =>
    Array.isArray(piece) && typeof piece[0] === 'number' && typeof piece[1] === 'number'
      ? [[piece[0], piece[1]] as const]
      : [],
  )
}

const jsonAt = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

function numberAt(value: Record<string, unknown>, key: string, fallback = 0): number {
  const number = value[key]
  return typeof number === 'number' ? number : fallback
}

function textsAt(value: Record<string, unknown>, key: string): string[] {
  const list = value[key]
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

/**
 * Returns the id under which a study filed a hit: that of the passage at index `i` if it has no other path,
 * else that of the first passage with the same path. Undefined without one.
 */
function evidenceOf(hit: ShownHit, i: number, filed: readonly ResultEvidence[]): string | undefined {
  const passage = filed[i]
  if (passage && (passage.path === undefined || passage.path === hit.path)) return passage.id
  return filed.find(({ path }) => path === hit.path)?.id
}

const textAt = (value: unknown, key: string): string | undefined =>
  isObject(value) && typeof value[key] === 'string' ? value[key] : undefined
const toTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/** Returns the question of a request with the purpose `plan`, from its input; undefined without one. */
export const planQuestion = (value: unknown): string | undefined => textAt(value, 'question')

/** Returns the question of a study's task; undefined for an ordinary run. */
export const workObjective = (value: unknown): string | undefined => textAt(value, 'objective')

/**
 * Returns the passages that the study has already stored as evidence for a follow-up question, in the format
 * of search results.
 */
export const filedPassages = (value: unknown): unknown => (isObject(value) ? value.filed : undefined)

/** Number of words below which a follow-up question needs the words of the previous question. */
const minOwnTerms = 2
const leadsOn = /^(?:and|but|what about|how about|und|aber|et|mais|y|pero)(?!\p{L})/iu

/**
 * Returns the text to search for: the objective. If the objective only continues the previous question,
 * `value.before`, the words of that question follow in brackets and count less.
 */
export function searchedWords(objective: string, value: unknown): string {
  const before = textAt(value, 'before')
  if (before === undefined) return objective
  const objectiveTerms = extractTerms(objective)
  if (objectiveTerms.length >= minOwnTerms && !leadsOn.test(objective.trim())) return objective
  const added = extractTerms(before).filter((term) => !objectiveTerms.includes(term))
  const bare = objective.replace(/[\s?？]+$/u, '')
  return added.length === 0 ? objective : `${bare} (also: ${added.join(' ')})?`
}

export function synthesiseInput(value: unknown): SynthesiseInput {
  const list = (key: string) =>
    (isObject(value) && Array.isArray(value[key]) ? value[key] : []).filter(isObject)
  const tasks = list('tasks').map((task) => ({
    id: textAt(task, 'id') ?? '',
    objective: textAt(task, 'objective') ?? '',
    gaps: toTexts(task.gaps),
  }))
  const claims = list('claims').flatMap((claim): SynthesisFinding[] => {
    const id = textAt(claim, 'id')
    const quote = textAt(claim, 'quote') ?? ''
    const text = textAt(claim, 'text') ?? quote
    if (id === undefined || text === '') return []
    const finding: SynthesisFinding = { id, text, quote, task: textAt(claim, 'task') ?? '' }
    if (typeof claim.verified === 'boolean') finding.verified = claim.verified
    return [finding]
  })
  return { question: textAt(value, 'question') ?? '', tasks, claims }
}

// What the passage search of a conversation has shown, read from the text of its result.
import type { ModelMessage, ResultEvidence } from '../model.ts'
import { contentText } from '../tokens.ts'
import { isJson, textAt } from './request-input.ts'

interface ShownQuote {
  from: number
  to: number
  key: number
  /** Indices of the parts of the question that it is about; none of a question in one part. */
  tells?: number[]
}

/** A passage as the tool finder has printed it. */
export interface ShownHit {
  path: string
  /** 1-based number of the first line. */
  line: number
  lines: string[]
  heading: string
  kind: string
  score: number
  /** Where it stands in a document: its lines are those of the text that was taken out of it. */
  place?: string
  /** Lines worth quoting, and the one that says most. */
  best: ShownQuote
  /** Further lines of it, and how much of the question they hold as a share of what the first do. */
  second?: ShownQuote & { share: number }
  /** The name to whose value a better passage has led here. */
  follows?: string
  /** Index of the part of the question. */
  part: number
  /** Id under which a study filed it. */
  evidence?: string
}

export interface SearchOutcome {
  /** Whether the search was made, and whether it came to its end. */
  called: boolean
  failure?: string
  hits: ShownHit[]
  verdict: 'found' | 'partial' | 'nothing'
  /** Share of the question that the passages hold, as it was printed. */
  coverage: string
  missing: string[]
  /** What an answer would have to give and no quotation does. */
  lacking: string[]
  /** Of words that nothing states where they stand. */
  mentions: string[]
  nearest: string[]
  /** `1,623 files, 16 MB`, and ` 1.9 s` where the result still has its data. */
  read: string
  /** What was passed by and why. */
  remarks: string[]
  /** Where question and files are in two languages, what to do about it. */
  foreign?: string
}

const header = /^(.+?):(\d+)-(\d+)(?: {2}(.*?))? {2}\((\w+); score ([\d.]+); (.*)\)$/
const numbered = /^(\d+)\t(.*)$/

/** The last passage search at or behind index `from`. */
export function readSearchOutcome(messages: readonly ModelMessage[], from: number): SearchOutcome {
  const calls = new Map<string, string | undefined>()
  let found: (ModelMessage & { role: 'tool' }) | undefined
  for (const message of messages.slice(from)) {
    for (const call of message.role === 'assistant' ? (message.calls ?? []) : [])
      if (call.name === 'finder') calls.set(call.id, textAt(call.args, 'mode'))
    if (message.role === 'tool' && calls.get(message.callId) === 'passage') found = message
  }
  if (!found) return emptyOutcome(false)
  const text = contentText(found.content)
  if (found.failed) return { ...emptyOutcome(true), failure: text.split('\n')[0] ?? '' }
  const outcome = readPrinted(text)
  for (const [i, hit] of outcome.hits.entries()) {
    const evidence = evidenceOf(hit, i, found.evidence ?? [])
    if (evidence !== undefined) hit.evidence = evidence
  }
  if (isJson(found.data)) {
    outcome.missing = textsAt(found.data.coverage, 'missing') ?? outcome.missing
    const ms = isJson(found.data.read) ? found.data.read.ms : undefined
    if (typeof ms === 'number' && outcome.read !== '') outcome.read += `, ${(ms / 1000).toFixed(1)} s`
  }
  return outcome
}

/** What a study had filed before: the id of the evidence stands before the path of its source. */
export function readFiledPassages(text: string): SearchOutcome {
  const outcome = readPrinted(text)
  for (const hit of outcome.hits) {
    const [, id, path] = /^([^/]+)\/(.*)$/s.exec(hit.path) ?? []
    if (id !== undefined && path !== undefined) Object.assign(hit, { evidence: id, path })
  }
  return outcome
}

function readPrinted(text: string): SearchOutcome {
  const outcome = emptyOutcome(true)
  for (const line of text.split('\n')) readLine(line, outcome)
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

function textsAt(value: unknown, key: string): string[] | undefined {
  const list = isJson(value) ? value[key] : undefined
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : undefined
}

function readLine(text: string, outcome: SearchOutcome): void {
  const line = numbered.exec(text)
  const open = outcome.hits.at(-1)
  if (line && open) {
    open.lines.push(line[2] as string)
    return
  }
  const head = header.exec(text)
  if (head) outcome.hits.push(readHeader(head))
  else if (text.startsWith('[') && text.endsWith(']')) readRemark(text.slice(1, -1), outcome)
}

function readHeader(head: RegExpExecArray): ShownHit {
  const [, path = '', from, to, heading = '', kind = '', score, rest = ''] = head
  const best = /best (\d+-\d+ at \d+(?: on [\d+]+)?)/.exec(rest)
  const second = /; then (\d+-\d+ at \d+(?: on [\d+]+)?) with ([\d.]+) of it/.exec(rest)
  const part = /part (\d+)$/.exec(rest)
  const follows = /\bdefines ([\w.-]+)/.exec(rest)?.[1]
  const place = /^in ((?:page|section|paragraph|cell|row)s? \d[^;]*);/.exec(rest)?.[1]
  return {
    path,
    line: Number(from),
    lines: [],
    heading,
    kind,
    ...(place !== undefined && { place }),
    ...(follows !== undefined && { follows }),
    score: Number(score),
    best: best ? readQuote(best[1] as string) : { from: Number(from), to: Number(to), key: Number(from) },
    ...(second && { second: { ...readQuote(second[1] as string), share: Number(second[2]) } }),
    part: part ? Number(part[1]) - 1 : 0,
  }
}

/** `3-9 at 5`, or `3-9 at 5 on 1+3` for what is about the first and the third part. */
function readQuote(text: string): ShownQuote {
  const [from = 0, to = 0, key = 0, ...parts] = (text.match(/\d+/g) ?? []).map(Number)
  return { from, to, key, ...(parts.length > 0 && { tells: parts.map((part) => part - 1) }) }
}

function readRemark(remark: string, outcome: SearchOutcome): void {
  const coverage = /^coverage ([\d.]+) \((found|partial|nothing)\)(?:; no passage holds (.*))?$/.exec(remark)
  if (coverage) {
    outcome.coverage = coverage[1] as string
    outcome.verdict = coverage[2] as SearchOutcome['verdict']
    outcome.missing = coverage[3]?.split(', ') ?? []
  } else if (/^no quotation (?:gives |for: )/.test(remark)) outcome.lacking.push(remark)
  else if (remark.includes(' stands only in tests, data or addresses, ')) outcome.mentions.push(remark)
  else if (remark.startsWith('nearest: ')) outcome.nearest = remark.slice(9).split('; ')
  else if (remark.startsWith('read ')) outcome.read = remark.slice(5)
  else if (remark.startsWith('the question is in ')) outcome.foreign = remark
  else if (/\bskipped\b|were not read|could not be read|has no word/.test(remark))
    outcome.remarks.push(remark)
}

/** The passages of a result are filed in the order in which they stand. */
function evidenceOf(hit: ShownHit, i: number, filed: readonly ResultEvidence[]): string | undefined {
  const own = filed[i]
  if (own && (own.path === undefined || own.path === hit.path)) return own.id
  return filed.find(({ path }) => path === hit.path)?.id
}

// The output of a review on the streams, and the exit code of the review.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../../internal/base/errors.ts'
import { makePen, type Pen } from '../../../internal/render/pen.ts'
import { render } from '../../../internal/render/render.ts'
import { terminalOptions } from '../../../internal/render/terminal.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { formatSarif } from '../../../internal/service/features/reviewer.ts'
import type { FindingSeverity, ReviewFinding, ReviewResult } from '../../../internal/tool/review.ts'
import { drawExcerpt } from '../../../internal/tui/run-view/code-excerpt.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeText } from '../io/streams.ts'
import type { CommandIo } from '../verb.ts'

const order: readonly FindingSeverity[] = ['critical', 'high', 'medium', 'low']

/**
 * Prints a review and returns the exit code. `format` is `text`, `json` or `sarif`. For any other format it
 * prints no result, because the findings were printed as they arrived. A failed review, or a finding at least
 * as severe as `failOn`, returns 1; a partial review and an interruption have separate codes.
 */
export async function printReview(
  reviewed: ReviewResult,
  { format, failOn }: { format: string; failOn: string | undefined },
  io: CommandIo,
): Promise<number> {
  const nothing = 'Nothing to review.\n'
  if (format === 'json') await writeText(io.stdout, `${JSON.stringify(reviewed)}\n`)
  if (format === 'sarif') {
    const log = await formatSarif(reviewed, process.env.ANODE_VERSION ?? '')
    await writeText(io.stdout, `${JSON.stringify(log, null, 2)}\n`)
  }
  if (format === 'text') await writeText(io.stdout, reviewed.empty ? nothing : inWords(reviewed, io))
  if (reviewed.empty && format !== 'text') io.stderr.write(nothing)
  for (const note of reviewed.notes) io.stderr.write(`note: ${sanitizeText(note)}\n`)
  if (io.signal.aborted) return Number(process.exitCode ?? 130)
  if (reviewed.end !== 'done') io.stderr.write(`anode: the review is ${words[reviewed.end]}\n`)
  const limit = failOn === undefined ? -1 : order.indexOf(failOn as FindingSeverity)
  const isTooSevere = reviewed.findings.some(({ severity }) => order.indexOf(severity) <= limit)
  if (isTooSevere || reviewed.end === 'failed') return exitCodes.failed
  return reviewed.end === 'partial' ? exitCodes.limit : exitCodes.done
}

const words = {
  partial: 'incomplete: what was found is printed, the notes say what is missing',
  failed: 'not done: no part of it gave an answer',
} as const

/**
 * Returns a table of all findings, followed by each finding in full, because the table truncates long cells.
 * Without findings, returns a sentence about that, or an empty text if the review is incomplete.
 */
function inWords({ findings, end }: ReviewResult, io: CommandIo): string {
  if (findings.length === 0) return end === 'done' ? 'No findings.\n' : ''
  const look = terminalOptions({ env: io.env, stream: io.stdout })
  const pen = makePen({ ...look, all: true })
  const inFull = io.stdout.isTTY
    ? (one: ReviewFinding) => drawFinding(one, readCode(one, io.cwd), pen)
    : formatFinding
  return [drawOverview(findings, io), ...findings.map(inFull)].join('\n')
}

/** Returns a finding with its code as text for a terminal, in lines that have room in the width. */
function drawFinding(finding: ReviewFinding, code: string | undefined, pen: Pen): string {
  const { width } = pen.look
  const inner = { ...pen, look: { ...pen.look, width: width - 2 } }
  const head = pen.wrap(`${sanitizeText(placeOf(finding))} ${sanitizeText(finding.title)}`, width)
  const detail = sanitizeText(finding.detail, { keepLines: true }).trim()
  const below = [
    ...(code === undefined ? [] : drawExcerpt(code, finding.line, inner, finding.file)),
    ...(detail === '' ? [] : pen.wrap(detail, width - 2)),
  ]
  return `${[...head.map(pen.paint({ bold: true })), ...below.map((line) => `  ${line}`)].join('\n')}\n`
}

/**
 * Largest size in bytes of a file whose code is shown below a finding; for a larger file no code is shown.
 */
const maxCodeBytes = 4 * 1024 * 1024

/**
 * Returns the text of the finding's file; undefined if the file cannot be read, is too large or is not text.
 */
function readCode({ file }: ReviewFinding, cwd: string): string | undefined {
  try {
    const path = join(cwd, file)
    const { size } = statSync(path)
    const text = size > maxCodeBytes ? '\0' : readFileSync(path, 'utf8')
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

/** Returns the findings as a table, drawn by the table component of `anode render`. */
function drawOverview(findings: readonly ReviewFinding[], io: CommandIo): string {
  const columns = ['severity', 'place', 'check', 'title'].map((key) => ({ header: key.toUpperCase(), key }))
  const rows = findings.map((finding) => {
    const { severity, check = '', title } = finding
    return { severity, place: placeOf(finding), check, title }
  })
  const spec = { root: 'findings', elements: { findings: { type: 'Table', props: { columns, rows } } } }
  const look = terminalOptions({ env: io.env, stream: io.stdout })
  return `${render(spec, { ...look, plain: false, all: true }).lines.join('\n')}\n`
}

function formatFinding(finding: ReviewFinding): string {
  const head = `${sanitizeText(placeOf(finding))} ${sanitizeText(finding.title)}\n`
  const text = sanitizeText(finding.detail, { keepLines: true }).trim().replaceAll('\n', '\n  ')
  return text === '' ? head : `${head}  ${text}\n`
}

const placeOf = ({ file, line }: ReviewFinding) => `${file}:${line}`

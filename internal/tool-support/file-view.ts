// View of a file for the tools read and multi_read: numbered lines of its first 2 MiB, and where to continue.
import { closeSync } from 'node:fs'
import { type Failure, FailureError } from '../base/errors.ts'
import { explainErrno } from '../base/files/errno.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { numberLines } from '../base/text/numbered-lines.ts'
import { contentKind, type DecodedContent, hasBom, trimCut } from '../base/text/text-encoding.ts'
import type { ResolvedPath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'
import { locatePath } from './path-location.ts'
import { isMostlyControl, plainView } from './plain-view.ts'
import { rememberRead } from './stale-read.ts'

/** Largest number of bytes that are read from the beginning of a file. */
export const maxPrefixBytes = 2_097_152

/** Default of `max_lines`: the largest number of lines that are shown if the call sets no range. */
export const defaultLines = 1000

/**
 * Largest number of characters of a line for a model. `maxDirectLineChars` is the limit for a direct call
 * with line numbers, unless it sets `max_bytes` below 2 MiB.
 */
const maxLineChars = 2_000
const maxDirectLineChars = 100_000

/** Number of bytes of text for which a model always has room, unless the call sets a smaller `max_bytes`. */
const minBytes = 400

/** Bytes that are kept for the notes below the lines, including those that the gate of the calls adds. */
const remarkRoom = 1_000

/**
 * Returns how many bytes of file text fit into one result for a model, next to notes and `banners` bytes of
 * headings: at least 400, but at most `maxBytes`. For a direct call, returns `maxBytes`.
 */
export function bytesWithin({ agent: { resultRoom } = {} }: Ctx, maxBytes: number, banners = 0): number {
  return resultRoom === undefined
    ? maxBytes
    : Math.min(maxBytes, Math.max(minBytes, resultRoom - remarkRoom - banners))
}

/** The parameters of a call, as the caller passed them. Lines count from 1. */
interface LineWindow {
  read_range?: readonly number[] | undefined
  start_line?: number | undefined
  end_line?: number | undefined
  max_bytes: number
  /** True if `max_bytes` is the remaining room of the result; notes then do not mention it. */
  isRoom?: boolean
  numbers?: boolean | undefined
  /** Largest number of lines if no range is set; 0: no limit. Default: 1,000. */
  max_lines?: number | undefined
  refuse_control?: boolean | undefined
  /** Largest number of characters; only has an effect if the text is shown without line numbers. */
  max_chars?: number | undefined
}

/** Facts about the shown text, for programs. */
export interface FileView {
  path: string
  start_line: number
  /** Number of the last line that is shown; `start_line - 1` if none is. */
  end_line: number
  /** Number of lines of the file; null if the file is larger than the 2 MiB that are read. */
  total_lines: number | null
  /** Line at which to continue; null if the requested range or the first 2 MiB have no further line. */
  next_line: number | null
  /** Size of the file in bytes. */
  size: number
  /** Number of bytes of the shown lines with their numbers. */
  bytes: number
  file_capped: boolean
  /** True if a part of the requested lines is not shown. */
  truncated: boolean
  line_ends: 'lf' | 'crlf' | 'mixed' | 'none'
  bom: boolean
  /** Encoding of the file; undefined for UTF-8. */
  encoding?: string
  /**
   * The lines without numbers, for programs. Undefined in a session, because the record of a call would
   * contain the text twice.
   */
  content?: string
}

interface LineRange {
  start: number
  end: number
  /** True if the call set no range, or only `start_line` 1. */
  usual: boolean
}

/**
 * The part of a file that is shown. `cut`: `max_bytes`, `max_chars` or the room in the conversation left out
 * a part of the requested lines.
 */
export interface ShownFile {
  text: string
  /** The shown lines without their numbers. */
  content: string
  data: FileView
  cut: boolean
  /** The shown text with complete lines; set if some lines are truncated. */
  whole?: string
}

/**
 * Returns the lines of a file, numbered unless `numbers` is false, and records the state of the file as read.
 * Throws FailureError if the file cannot be shown.
 */
export async function viewFile(ctx: Ctx, path: string, window: LineWindow): Promise<ShownFile> {
  const range = parseLineRange(window)
  const place = locatePath(ctx, path, 'read')
  try {
    return await showFile(ctx, place, range, window)
  } catch (error) {
    const explained = explainErrno(error, place.shown)
    if (explained instanceof FailureError)
      throw new FailureError(await addHint(explained.failure, place), error)
    throw error
  }
}

/**
 * Returns the range of lines that a call requests. `read_range` takes precedence. A start without an end
 * means the rest of the file, but `start_line` 1 alone counts as no range. Without a range, `max_lines`
 * (default: 1000; 0: no limit) limits it. Throws FailureError `bad_args` if the end is before the start.
 */
export function parseLineRange(window: LineWindow): LineRange {
  const { read_range: pair, start_line, end_line } = window
  const start = pair?.[0] ?? start_line ?? 1
  const end = pair ? pair[1] : end_line
  if (end !== undefined && end < start) {
    const names = pair ? `read_range [${pair.join(', ')}]` : `end_line ${end} with start_line ${start}`
    throw new FailureError({ code: 'bad_args', message: `${names} ends before it starts` })
  }
  const usual = !pair && start === 1 && end_line === undefined
  const maxLines = (window.max_lines ?? defaultLines) || Number.POSITIVE_INFINITY
  return { start, end: end ?? (usual ? maxLines : Number.POSITIVE_INFINITY), usual }
}

async function showFile(
  ctx: Ctx,
  place: ResolvedPath,
  range: LineRange,
  window: LineWindow,
): Promise<ShownFile> {
  const { numbers = true, max_bytes: max } = window
  const limit = bytesWithin(ctx, max)
  const opened = openPlain(place.real, place.shown)
  const { bytes: disk, whole } = await readPrefix(opened, maxPrefixBytes).finally(() => closeSync(opened.fd))
  const { readEditorBuffer } = ctx.can.editor && whole ? await import('./editor/editor-buffer.ts') : {}
  const bytes = readEditorBuffer ? await readEditorBuffer(ctx, place.real, disk) : disk
  const prefix = whole ? bytes : trimCut(bytes)
  const kind = contentKind(prefix)
  // Most files are UTF-8, so the code for other encodings is loaded only when one is needed.
  const { readForeignText } = isForeignText(kind) ? await import('./foreign-text.ts') : {}
  const decoded = await readForeignText?.(bytes, whole)
  if (kind !== 'text' && !decoded) throw new FailureError(notText(kind, place))
  if (window.refuse_control && isMostlyControl(decoded ? Buffer.from(decoded.text) : prefix))
    throw new FailureError(notText('control', place))
  if (ctx.seen) rememberRead(ctx.seen, place.real, { stat: opened.stat, whole: whole ? bytes : undefined })
  const bom = hasBom(prefix)
  const body = decoded ? Buffer.from(decoded.text) : bom ? prefix.subarray(3) : prefix
  const page = numberLines(body, { ...range, maxBytes: limit, ...lineLimit(ctx, window) })
  const shownRange = { start: range.start, end: page.last, maxBytes: window.max_bytes }
  const uncut = page.long && numberLines(body, shownRange).text
  const isMore = page.last < Math.min(page.total, range.usual ? page.total : range.end)
  const isCapped = !whole && (range.usual || range.end >= page.total)
  const data: FileView = {
    path: place.shown,
    start_line: range.start,
    end_line: page.last,
    total_lines: whole ? page.total : null,
    next_line: isMore ? page.last + 1 : null,
    size: whole ? bytes.length : Number(opened.stat.size),
    bytes: page.bytes,
    file_capped: !whole,
    truncated: isCapped || page.cut !== undefined || page.long !== undefined,
    line_ends: lineEnds(body),
    bom,
    encoding: decoded?.encoding,
    ...(ctx.seen === undefined && { content: withoutNumbers(uncut ?? page.text) }),
  }
  const isShown = page.last >= range.start
  const content = isShown ? withoutNumbers(uncut ?? page.text) : ''
  if (!numbers) return plainView(data, content, page, window.max_chars)
  const notes = [
    ...(decoded ? [`[${decoded.note}]`] : []),
    ...longLineRemarks(page.long, ctx),
    ...listRemarks(data, page.cut, page.total, window.isRoom || limit < window.max_bytes ? undefined : limit),
  ]
  const lines = isShown ? [page.text, ...notes] : notes
  return { text: lines.join('\n'), content, data, cut: page.cut !== undefined, whole: uncut || undefined }
}

const isForeignText = (kind: DecodedContent['kind']) =>
  kind === 'utf16' || kind === 'encoding' || kind === 'binary'

function lineLimit({ agent: { resultRoom } = {} }: Ctx, { numbers = true, max_bytes: maxBytes }: LineWindow) {
  if (resultRoom !== undefined) return { maxLineChars }
  return numbers && maxBytes >= maxPrefixBytes ? { maxLineChars: maxDirectLineChars } : {}
}

function longLineRemarks(
  long: { line: number; chars: number; count: number } | undefined,
  ctx: Ctx,
): string[] {
  if (!long) return []
  const { line, chars, count } = long
  const charLimit = ctx.agent?.resultRoom === undefined ? maxDirectLineChars : maxLineChars
  const more = count > 1 ? `, and ${countNoun(count - 1, 'more line')} over ${charLimit}` : ''
  const hint =
    ctx.agent?.resultRoom === undefined ? `; with \`max_bytes\` ${maxPrefixBytes - 1} it is shown whole` : ''
  return [`[line ${line} has ${chars} characters${more}: ${charLimit} of a line are shown${hint}]`]
}

const withoutNumbers = (text: string) =>
  text
    .split('\n')
    .map((line) => line.slice(line.indexOf('\t') + 1))
    .join('\n')

/**
 * Returns notes of one line each: on an empty file, a start after its end, a truncated line, the
 * line at which to continue, and a file of more than 2 MiB. They are in brackets, so that they
 * differ from numbered lines.
 */
function listRemarks(
  data: FileView,
  cutKind: 'lines' | 'line' | undefined,
  total: number,
  maxBytes: number | undefined,
): string[] {
  const { start_line: start, end_line: end, next_line: next, total_lines } = data
  const notes: string[] = []
  const of = total_lines === null ? '' : ` of ${total_lines}`
  if (total === 0) notes.push('[the file is empty]')
  else if (start > total) {
    const what = total_lines === null ? 'readable part' : 'file'
    notes.push(`[no line ${start}: the ${what} has ${total} line${total === 1 ? '' : 's'}]`)
  }
  const limit = maxBytes === undefined ? '' : `max_bytes is ${maxBytes}`
  if (cutKind === 'line') notes.push(`[line ${end} is cut: ${limit || 'it does not fit'}]`)
  if (next !== null) {
    const why = cutKind === 'lines' && limit !== '' ? `, ${limit}` : ''
    const last = next + defaultLines - 1
    const until = total_lines !== null && last >= total_lines ? '' : `, end_line ${last}`
    const rest = `continue with start_line ${next}${until}`
    notes.push(`[lines ${start} to ${end}${of}${why}; ${rest}]`)
  }
  if (data.file_capped && (next === null || start > total)) {
    const part = `its first 2 MiB, lines 1 to ${total} with the last one possibly cut`
    notes.push(
      `[the file has ${data.size} bytes and only ${part}, can be read; use grep or bash for the rest]`,
    )
  }
  return notes
}

function lineEnds(body: Buffer): FileView['line_ends'] {
  const crlf = body.includes('\r\n')
  for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) {
    if (!crlf) return 'lf'
    if (at === 0 || body[at - 1] !== 13) return 'mixed'
  }
  return crlf ? 'crlf' : 'none'
}

function notText(kind: Exclude<DecodedContent['kind'], 'text'> | 'control', place: ResolvedPath): Failure {
  const lookAtHint = `Use look_at with path ${JSON.stringify(place.shown)}.`
  const bash = 'Use bash (file, xxd, strings, iconv) to see what it holds.'
  const says = {
    image: ['an image', lookAtHint],
    pdf: ['a PDF', lookAtHint],
    utf16: ['marked as UTF-16, but its bytes are not valid UTF-16', bash],
    binary: ['binary: it holds NUL bytes', bash],
    encoding: ['not text in a known encoding', bash],
    control: ['binary: it is full of control characters', bash],
  } as const
  const [what, hint] = says[kind]
  return { code: 'binary_or_encoding', message: `${place.shown} is ${what}`, hint, detail: { kind } }
}

/**
 * Adds a hint with the next step if the path is missing or a directory. Other failures, and those with a
 * hint, are returned unchanged.
 */
async function addHint(failure: Failure, place: ResolvedPath): Promise<Failure> {
  if (failure.hint !== undefined) return failure
  if (failure.code === 'is_directory') {
    return { ...failure, hint: `List it with glob: pattern "*", path ${JSON.stringify(place.shown)}.` }
  }
  if (failure.code !== 'not_found') return failure
  const { describeMissing } = await import('../policy/paths/missing-path.ts')
  return describeMissing(place, 'Find it with glob or finder.')
}

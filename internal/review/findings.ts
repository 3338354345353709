// Findings of a review, parsed from a reviewer's response and checked against the files.

import * as z from 'zod/mini'
import { FailureError } from '../base/errors.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { isObject, parseJson } from '../base/untrusted-json.ts'
import { judgePath, resolvePath } from '../policy/paths/path-jail.ts'
import type { PathRoots } from '../policy/policy.ts'
import type { ReviewFinding } from '../tool/review.ts'
import { countFileLines } from './file-head.ts'

/** Severities of findings, from the worst on. */
export const severities = ['critical', 'high', 'medium', 'low'] as const

/**
 * Text in the prompts of a review that describes the form of the answer. The schema `finding` describes
 * the same form.
 */
export const findingsForm = `End with one JSON object and nothing else, in this form:
{"findings": [{"file": "path/from/the/workspace", "line": 1, "severity": "critical|high|medium|low", \
"title": "one line", "detail": "what triggers it, what then happens, the smallest fix"}]}
"line" counts from 1 in the file as it is now. Nothing found is {"findings": []}.`

const createTextField = () => z.string().check(z.trim(), z.minLength(1))
const finding = z.object({
  file: createTextField(),
  line: z.int().check(z.minimum(1)),
  severity: z.pipe(
    z.transform((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
    z.enum(severities),
  ),
  title: createTextField(),
  detail: z._default(z.string(), ''),
  check: z.optional(z.nullable(z.string())),
})

type ParsedFindings = { ok: true; findings: ReviewFinding[] } | { ok: false; errors: string[] }

/**
 * Parses the JSON of a response, also inside a fence or after other text. Returns all findings, or only
 * errors (at most 20) if one of them is invalid or the JSON is missing. A check's findings get its name and,
 * if they have no severity, its severity.
 */
export function readFindings(
  reply: string,
  check?: { name: string; severity: ReviewFinding['severity'] },
): ParsedFindings {
  const items = listCandidates(reply).find((candidate) => Array.isArray(candidate))
  if (!items) return { ok: false, errors: ['the reply has no JSON object with a list "findings"'] }
  const findings: ReviewFinding[] = []
  const errors: string[] = []
  for (const [i, item] of items.entries()) {
    const full = isObject(item) && check ? { severity: check.severity, ...item } : item
    const parsed = z.safeParse(finding, full)
    if (parsed.success) {
      const { check: _, title, ...rest } = parsed.data
      findings.push({ ...rest, title: title.replace(/\s+/g, ' '), check: check?.name })
    } else {
      for (const issue of parsed.error.issues)
        errors.push(`findings[${i}].${issue.path.join('.')}: ${issue.message}`)
    }
  }
  return errors.length > 0 ? { ok: false, errors: errors.slice(0, 20) } : { ok: true, findings }
}

/**
 * Returns the lists of findings that a response may mean, in order of preference: the whole response, fenced
 * blocks from the last one, then JSON within text. A list without an object around it comes last and has to
 * be the whole response or block, because brackets in prose are not an answer.
 */
function listCandidates(reply: string): unknown[][] {
  const fences = [...reply.matchAll(/^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n[ \t]*\1/gm)].map(
    (match) => match[2] as string,
  )
  const wholeValues = [reply, ...fences.reverse()].map((text) => parseJson(text.trim()))
  const end = reply.lastIndexOf('}') + 1
  const within = [reply.search(/\{\s*"findings"/), reply.indexOf('{')].map((at) =>
    parseJson(reply.slice(Math.max(0, at), end).trim()),
  )
  const listed = [...wholeValues, ...within].map((value) => (isObject(value) ? value.findings : undefined))
  return [...listed, ...wholeValues].filter((value) => Array.isArray(value))
}

/**
 * Returns the findings, sorted by severity and position. A finding is dropped with a note if its line does
 * not exist, or if its file does not exist, cannot be read or is barred by the policy. A repeated finding
 * (same file, line and title, ignoring upper and lower case) is dropped without a note.
 */
export async function validateFindings(
  cwd: string,
  roots: PathRoots,
  reported: readonly ReviewFinding[],
): Promise<{ findings: ReviewFinding[]; notes: string[] }> {
  const notes: string[] = []
  const uniqueFindings = new Map<string, ReviewFinding>()
  const lines = new Map<string, number | undefined>()
  for (const one of reported) {
    const place = locateFile(cwd, roots, one.file)
    if (place && !lines.has(place.real)) lines.set(place.real, await countFileLines(place.real))
    const count = place && lines.get(place.real)
    const what =
      `${one.check === undefined ? '' : `${one.check}: `}"${one.title}" ` +
      `at ${JSON.stringify(one.file)}:${one.line}`
    if (!place || count === undefined) notes.push(`dropped ${what}: the file does not exist`)
    else if (one.line > count) notes.push(`dropped ${what}: the file has ${countNoun(count, 'line')}`)
    else {
      const key = JSON.stringify([place.shown, one.line, one.title.toLowerCase()])
      if (!uniqueFindings.has(key)) uniqueFindings.set(key, { ...one, file: place.shown })
    }
  }
  const rank = ({ severity }: ReviewFinding) => severities.indexOf(severity)
  const findings = [...uniqueFindings.values()].sort(
    (a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
  )
  return { findings, notes }
}

function locateFile(cwd: string, roots: PathRoots, file: string) {
  try {
    const place = resolvePath(cwd, roots, file)
    return place.exists && judgePath(place, 'read', roots).action !== 'deny' ? place : undefined
  } catch (error) {
    if (error instanceof FailureError) return undefined
    throw error
  }
}

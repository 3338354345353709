// Findings as SARIF 2.1.0 (OASIS standard), the form that code hosts and editors read.
import { createHash } from 'node:crypto'
import type { FindingSeverity, ReviewFinding, ReviewResult } from '../tool/review.ts'

const levels: Readonly<Record<FindingSeverity, string>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
}

/**
 * Returns a SARIF log with one run. Notes of the review become notifications, and file names become URIs
 * relative to `%SRCROOT%`.
 */
export function toSarif(reviewed: ReviewResult, version: string) {
  const ids = [...new Set(['review', ...reviewed.parts.map(ruleOfPart), ...reviewed.findings.map(ruleOf)])]
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'anode',
            version,
            rules: ids.map((id) => ({ id, name: id, shortDescription: { text: describeRule(id) } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: reviewed.end === 'done',
            toolExecutionNotifications: reviewed.notes.map((text) => ({
              level: 'warning',
              message: { text },
            })),
          },
        ],
        results: reviewed.findings.map((finding) => resultOf(finding, ids)),
        properties: { end: reviewed.end, model: reviewed.model },
      },
    ],
  }
}

function resultOf(finding: ReviewFinding, ids: readonly string[]) {
  const { file, line, severity, title, detail } = finding
  const ruleId = ruleOf(finding)
  return {
    ruleId,
    ruleIndex: ids.indexOf(ruleId),
    level: levels[severity],
    message: { text: detail === '' ? title : `${title}\n\n${detail}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file), uriBaseId: '%SRCROOT%' },
          region: { startLine: line },
        },
      },
    ],
    // The fingerprint excludes the line number, so that a finding is recognized when lines above it are
    // added or removed.
    partialFingerprints: { 'anode/v1': hashText(`${ruleId}\0${file}\0${title}`) },
    properties: { severity },
  }
}

const ruleOf = ({ check }: ReviewFinding) => (check === undefined ? 'review' : `check/${check}`)
const ruleOfPart = (part: { name: string; check: boolean }) => (part.check ? `check/${part.name}` : 'review')
const describeRule = (id: string) =>
  id === 'review' ? 'Found by the reviewer' : `Found by the check ${id.slice('check/'.length)}`
const toUri = (file: string) => file.split('/').map(encodePart).join('/')
const hashText = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Encodes a part of a path for a URI. An incomplete character (half a surrogate pair) has no URI form, so
 * it becomes U+FFFD.
 */
const encodePart = (part: string) => encodeURIComponent(part.toWellFormed())

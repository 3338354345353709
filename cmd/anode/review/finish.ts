// What a review leaves behind on the streams, and its exit code.
import { sarif } from '../../../internal/host/review.ts'
import { clean } from '../../../internal/render/clean.ts'
import { render } from '../../../internal/render/render.ts'
import { terminalOptions } from '../../../internal/render/terminal.ts'
import type { Finding, Reviewed, Severity } from '../../../internal/tool/ctx.ts'
import { exit } from '../exit.ts'
import { write } from '../io.ts'
import type { Io } from '../verb.ts'

const order: readonly Severity[] = ['critical', 'high', 'medium', 'low']

export async function finish(
  reviewed: Reviewed,
  { format, failOn }: { format: string; failOn: string | undefined },
  io: Io,
): Promise<number> {
  const nothing = 'Nothing to review.\n'
  if (format === 'json') await write(io.stdout, `${JSON.stringify(reviewed)}\n`)
  else if (format === 'sarif') {
    const log = await sarif(reviewed, process.env.ANODE_VERSION ?? '')
    await write(io.stdout, `${JSON.stringify(log, null, 2)}\n`)
  } else await write(io.stdout, reviewed.empty ? nothing : inWords(reviewed, io))
  if (reviewed.empty && format !== 'text') io.stderr.write(nothing)
  for (const note of reviewed.notes) io.stderr.write(`note: ${clean(note)}\n`)
  if (io.signal.aborted) return Number(process.exitCode ?? 130)
  if (reviewed.end !== 'done') io.stderr.write(`anode: the review is ${words[reviewed.end]}\n`)
  const limit = failOn === undefined ? -1 : order.indexOf(failOn as Severity)
  const isTooSevere = reviewed.findings.some(({ severity }) => order.indexOf(severity) <= limit)
  if (isTooSevere || reviewed.end === 'failed') return exit.failed
  return reviewed.end === 'partial' ? exit.limit : exit.done
}

const words = {
  partial: 'incomplete: what was found is printed, the notes say what is missing',
  failed: 'not done: no part of it gave an answer',
} as const

/** A table of all findings, then each in full: a table cuts what has no room. */
function inWords({ findings, end }: Reviewed, io: Io): string {
  if (findings.length === 0) return end === 'failed' ? '' : 'No findings.\n'
  return [overview(findings, io), ...findings.map(tell)].join('\n')
}

/** The same component that `anode render` draws. */
function overview(findings: readonly Finding[], io: Io): string {
  const columns = ['severity', 'place', 'check', 'title'].map((key) => ({ header: key.toUpperCase(), key }))
  const rows = findings.map((finding) => {
    const { severity, check = '', title } = finding
    return { severity, place: place(finding), check, title }
  })
  const spec = { root: 'findings', elements: { findings: { type: 'Table', props: { columns, rows } } } }
  const look = terminalOptions({ env: io.env, stream: io.stdout })
  return `${render(spec, { ...look, plain: false, all: true }).lines.join('\n')}\n`
}

function tell(finding: Finding): string {
  const head = `${clean(place(finding))} ${clean(finding.title)}\n`
  const text = clean(finding.detail, { keepLines: true }).trim().replaceAll('\n', '\n  ')
  return text === '' ? head : `${head}  ${text}\n`
}

const place = ({ file, line }: Finding) => `${file}:${line}`

// The command `anode study list`, which prints the latest studies of this workspace or of all workspaces.

import { shortCount } from '../../../internal/base/text/short-count.ts'
import { makePen } from '../../../internal/render/pen.ts'
import { terminalOptions } from '../../../internal/render/terminal.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { type StudySummary, summarizeStudies } from '../../../internal/service/study/study-listing.ts'
import { addStudyReason } from '../../../internal/session/board/study-words.ts'
import { formatStudyCost, shortId } from '../../../internal/study/progress/progress-lines.ts'
import { exitCodes } from '../exit-codes.ts'
import { readNumber } from '../flags.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const listStudies: Verb = {
  name: 'study list',
  summary: 'List the studies of this workspace, newest first',
  usage: 'study list [flags]',
  options: {
    limit: { type: 'number', describe: 'At most this many', default: 20, value: 'N' },
    everywhere: { type: 'boolean', describe: 'Of all workspaces, with where each was started' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  foreignFlags: { all: '--everywhere' },
  examples: [['anode study list --limit 5', 'The five newest studies, with what each has cost']],
  run: runList,
}

async function runList(args: CommandArgs, io: CommandIo): Promise<number> {
  const limit = readNumber(args, 'limit', 1) ?? 20
  const everywhere = flagArg(args, 'everywhere')
  const studies = await summarizeStudies({ cwd: io.cwd, env: io.env, everywhere, limit })
  if (flagArg(args, 'json')) await writeText(io.stdout, formatJson(studies, 2))
  else if (studies.length === 0) {
    const where = everywhere ? '' : ' here yet'
    explainNoRows(`No studies${where}. Start one: anode study "what to find out"`, io)
  } else await writeText(io.stdout, await drawStudies(studies, everywhere, io))
  return exitCodes.done
}

/**
 * Returns a table with one line for each study. On a terminal the question is truncated to the remaining
 * width. If that is below 20 cells, each study has two truncated lines, and the table has no heading row.
 */
async function drawStudies(
  studies: readonly StudySummary[],
  everywhere: boolean,
  io: CommandIo,
): Promise<string> {
  // Studies that work by rules and without a model use no tokens.
  const hasTokens = studies.some(({ tokens }) => tokens > 0)
  const tokenHead = hasTokens ? ['fresh', 'read', 'write', 'output'] : []
  const place = everywhere ? ['workspace'] : []
  const head = ['study', 'started', 'state', ...tokenHead, 'cost', ...place, 'question']
  const rows = studies.map((study) => [
    shortId(study.id),
    formatMinute(study.created),
    stateOf(study),
    ...(hasTokens ? tokenCells(study) : []),
    formatStudyCost(study),
    ...(everywhere ? [study.workspace] : []),
    sanitizeText(study.question),
  ])
  if (!io.stdout.isTTY) return formatTable(head, rows, io)
  const columns = io.stdout.columns ?? 80
  const pen = makePen({ ...terminalOptions({ env: io.env, stream: io.stdout }), all: true })
  const room = columns - widthBefore([head, ...rows])
  if (room >= minQuestionCells)
    return formatTable(
      head,
      rows.map((row) => [...row.slice(0, -1), pen.clip(row.at(-1) as string, room)]),
      io,
    )
  return rows
    .flatMap((row) => [row.slice(0, -1).join('  '), `  ${row.at(-1)}`])
    .map((line) => `${pen.clip(line, columns)}\n`)
    .join('')
}

/**
 * Returns table cells with the tokens by kind, and marks estimates with `~`. The cells are empty for a study
 * without tokens, such as a study by rules.
 */
function tokenCells({ usage, tokens, tokens_estimated: isEstimated }: StudySummary): string[] {
  if (tokens === 0) return ['', '', '', '']
  const { fresh, cache_read: read, cache_write: write, output } = usage
  return [fresh, read, write, output].map((count) => `${isEstimated ? '~' : ''}${shortCount(count)}`)
}

/** Smallest width of the question in cells; a shorter text says too little. */
const minQuestionCells = 20

/** Returns the width in cells of all columns except the last, including the gaps after them. */
function widthBefore(rows: readonly (readonly string[])[]): number {
  const [head = []] = rows
  const widths = head
    .slice(0, -1)
    .map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return widths.reduce((sum, width) => sum + width + 2, 0)
}

function stateOf({ status, outcome, reason, abandoned }: StudySummary): string {
  if (abandoned) return 'abandoned'
  // The list has little room, so it shows a shorter status.
  if (outcome !== status) return outcome.replace('quotes ', '')
  return addStudyReason(outcome, reason)
}

// The command `anode study verify`, which checks every quote of a study again.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { withStudy } from '../../../internal/service/study/known-studies.ts'
import { checkStudy, type JudgedVerification } from '../../../internal/service/study/verification.ts'
import { describeDoubt } from '../../../internal/session/board/study-words.ts'
import { documentOf } from '../../../internal/study/report/document.ts'
import type { ReportedClaim } from '../../../internal/study/report/report-document.ts'
import { exitCodes } from '../exit-codes.ts'
import { readNumber } from '../flags.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { flagArg, stringArg, type Verb } from '../verb.ts'
import { studyPresenter } from './output/study-presenter.ts'
import { readStudyName, studyPositional } from './study-name.ts'

export const verify: Verb = {
  name: 'study verify',
  summary: 'Check again that every claim quotes what was read, and whether the files still say it',
  usage: 'study verify [ID] [flags]',
  positionals: [studyPositional],
  options: {
    'min-citation': {
      type: 'number',
      describe: 'Exit with 5 below this share; default: that of the study',
      value: 'X',
    },
    'min-support': {
      type: 'number',
      describe: 'Exit with 5 below this share of verified claims; default: that of the study',
      value: 'X',
    },
    judge: {
      type: 'number',
      describe: 'Have a language model grade N claims; it changes no result',
      value: 'N',
    },
    model: { type: 'string', describe: 'The model that judges', value: 'PROVIDER/MODEL' },
    json: { type: 'boolean', describe: 'Print one JSON object' },
  },
  examples: [
    ['anode study verify last --min-citation 1', 'Exit with 5 unless each quote is found in its place'],
  ],
  run: (args, io) =>
    withStudy(readStudyName(args), io, async (study) => {
      const state = await study.state()
      if (state.head.table) return (await studyPresenter.tables()).verifyTableCells(args, io, state)
      const least = {
        citation: readNumber(args, 'min-citation', 0, 1, false) ?? state.head.minCitation,
        support: readNumber(args, 'min-support', 0, 1, false) ?? state.head.minSupport ?? 0,
      }
      const model = stringArg(args, 'model')
      const { cwd, env, signal } = io
      const options = { cwd, env, signal, judge: readNumber(args, 'judge', 0, 1000) ?? 0 }
      const checked = await checkStudy(state, { ...options, model })
      const { accuracy, support } = checked
      const verdicts = new Map(checked.verdicts.map((verdict) => [verdict.claim, verdict]))
      const { claims } = documentOf({ ...state, verdicts })
      const form = flagArg(args, 'json') ? asJson : inWords
      const drawn = form(study.id, claims, checked, least)
      await writeText(io.stdout, flagArg(args, 'json') ? drawn : fitLines(drawn, io))
      if (accuracy === null) return exitCodes.failed
      const isShort = accuracy < least.citation || (support ?? 0) < least.support
      return isShort ? exitCodes.unverified : exitCodes.done
    }),
}

/** Shares of correct results below which the exit code is 5. */
interface LeastShares {
  citation: number
  support: number
}

const stateWords = { verified: 'verified', quoted: 'in other words' } as const

function asJson(
  id: string,
  claims: readonly ReportedClaim[],
  checked: JudgedVerification,
  least: LeastShares,
): string {
  const object = {
    id,
    citation_accuracy: checked.accuracy,
    support: checked.support,
    min_citation: least.citation,
    min_support: least.support,
    claims: claims.map(({ id: claim, place, state, verified, reason, source_changed }) => {
      return { claim, place, state, verified, reason, source_changed }
    }),
    judge: checked.judge ?? null,
    opinions: checked.opinions,
  }
  return formatJson(object)
}

function inWords(
  _: string,
  claims: readonly ReportedClaim[],
  checked: JudgedVerification,
  least: LeastShares,
): string {
  const { accuracy, support, judge, opinions } = checked
  const states = claims.map(({ state, reason }) =>
    state === 'not_found' ? describeDoubt(reason) : stateWords[state],
  )
  const width = Math.max(16, ...states.map((text) => text.length))
  const row = (first: string, second: string, rest: string) =>
    `${first.padEnd(6)} ${second.padEnd(width)} ${rest}`
  const share = accuracy === null ? 'unknown: the report has no claims' : accuracy.toFixed(2)
  const lines = [
    ...claims.map(({ id, place, source_changed }, i) => {
      const note = source_changed ? '  source changed since' : ''
      return row(id, states[i] ?? '', `${place ?? ''}${note}`)
    }),
    `citation accuracy ${share}, at least ${least.citation} wanted`,
    ...(support === null ? [] : [`support ${support.toFixed(2)}, at least ${least.support} wanted`]),
    ...(opinions.length > 0 ? [`opinions of ${judge}, which change nothing above:`] : []),
    ...opinions.map(({ claim, opinion, why }) => row(claim, opinion, why)),
  ]
  return `${lines.map((line) => sanitizeText(line).trimEnd()).join('\n')}\n`
}

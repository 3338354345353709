// `anode study verify`: checks every quotation of a study again.
import { UserError } from '../../../internal/base/errors.ts'
import { type Checked, checkStudy } from '../../../internal/host/study/check.ts'
import { withStudy } from '../../../internal/host/study/studies.ts'
import { clean } from '../../../internal/render/clean.ts'
import { documentOf, type ReportedClaim } from '../../../internal/study/report/document.ts'
import { exit } from '../exit.ts'
import { write } from '../io.ts'
import { json } from '../json.ts'
import { fitLines } from '../prose.ts'
import { type Args, flag, num, str, type Verb } from '../verb.ts'
import { nameOf, studyName } from './name.ts'

export const verify: Verb = {
  name: 'study verify',
  summary: 'Check again that every claim quotes what was read, and whether the files still say it',
  usage: 'study verify [ID] [flags]',
  positionals: [studyName],
  options: {
    'min-citation': {
      type: 'number',
      describe: 'Exit with 5 below this share; default: that of the study',
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
    [
      'anode study verify last --min-citation 1',
      'Exit with 5 unless every quotation stands where it is said to',
    ],
  ],
  run: (args, io) =>
    withStudy(nameOf(args), io, async (found) => {
      const state = await found.state()
      const least = within(args, 'min-citation', 1) ?? state.head.minCitation
      const model = str(args, 'model')
      const { cwd, env, signal } = io
      const options = { cwd, env, signal, judge: within(args, 'judge', 1000) ?? 0 }
      const checked = await checkStudy(state, { ...options, ...(model !== undefined && { model }) })
      const { accuracy } = checked
      const verdicts = new Map(checked.verdicts.map((verdict) => [verdict.claim, verdict]))
      const { claims } = documentOf({ ...state, verdicts })
      const form = flag(args, 'json') ? asJson : inWords
      const drawn = form(found.id, claims, checked, least)
      await write(io.stdout, flag(args, 'json') ? drawn : fitLines(drawn, io))
      if (accuracy === null) return exit.failed
      return accuracy < least ? exit.unverified : exit.done
    }),
}

function asJson(id: string, claims: readonly ReportedClaim[], checked: Checked, least: number): string {
  const object = {
    id,
    citation_accuracy: checked.accuracy,
    min_citation: least,
    claims: claims.map(({ id: claim, place, verified, reason, source_changed }) => {
      return { claim, place, verified, reason, source_changed }
    }),
    judge: checked.judge ?? null,
    opinions: checked.opinions,
  }
  return json(object)
}

function inWords(_: string, claims: readonly ReportedClaim[], checked: Checked, least: number): string {
  const { accuracy, judge, opinions } = checked
  const row = (first: string, second: string, rest: string) =>
    `${first.padEnd(6)} ${second.padEnd(16)} ${rest}`
  const share = accuracy === null ? 'unknown: there is no claim' : accuracy.toFixed(2)
  const lines = [
    ...claims.map(({ id, place, verified, reason, source_changed }) => {
      const note = source_changed ? '  source changed since' : ''
      return row(id, verified ? 'verified' : String(reason), `${place ?? ''}${note}`)
    }),
    `citation accuracy ${share}, at least ${least} wanted`,
    ...(opinions.length > 0 ? [`opinions of ${judge}, which change nothing above:`] : []),
    ...opinions.map(({ claim, opinion, why }) => row(claim, opinion, why)),
  ]
  return `${lines.map((line) => clean(line).trimEnd()).join('\n')}\n`
}

function within(args: Args, name: string, most: number): number | undefined {
  const value = num(args, name)
  if (value === undefined || (value >= 0 && value <= most)) return value
  throw new UserError(`--${name} must be from 0 to ${most}, got ${value}`)
}

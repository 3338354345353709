// Small reports of invented trials, as PDF and text files, for tables with one row per document.
import { makePdf } from './pdf.ts'

interface Trial {
  name: string
  patients: number
  funder: string
  design: 'cohort' | 'rct'
  date: string
}

export const trials: readonly Trial[] = [
  { name: 'birch', patients: 83, funder: 'the Alder Fund', design: 'rct', date: '4 March 2021' },
  { name: 'cedar', patients: 1204, funder: 'the Harbor Institute', design: 'cohort', date: '17 May 2019' },
  { name: 'maple', patients: 57, funder: 'Northern Tea Growers', design: 'rct', date: '9 June 2020' },
]

/** Returns the text of a report, as lines. */
export function trialText({ name, patients, funder, design, date }: Trial): string {
  const count = patients >= 1000 ? patients.toLocaleString('en-US') : String(patients)
  return [
    `The ${name} trial of evening tea`,
    '',
    'We studied whether evening tea shortens the time until sleep.',
    `Of ${patients + 40} people asked, ${count} patients were enrolled in the study.`,
    `The design was a ${design} with two arms. The first visit was on ${date}.`,
    '',
    `The work was funded by ${funder}.`,
    'Sleep came 12 minutes earlier with tea (p = 0.03) [7].',
  ].join('\n')
}

export const trialPdf = (trial: Trial): Buffer => makePdf([trialText(trial)])

// Notices that explain a verdict: why a file is locked, and what a user can do about an implausible effect or
// about code that may print metrics.
import type { ExperimentSegment } from '../ledger/fold.ts'
import { commandWords } from '../workspace/integrity-lock.ts'

/**
 * Returns notices about the locked file that `detail` names. Returns none if nothing says why it is locked.
 */
export function lockNotes({ config, command }: ExperimentSegment, detail: string): string[] {
  const file = detail.replace(/^best: /, '').split(' ')[0] ?? ''
  const named = (
    [
      ['command', command],
      ['build', config.build],
      ['checks', config.checks],
    ] as const
  ).find(([, text]) => text !== undefined && commandWords(text).includes(file))?.[0]
  const why = named
    ? `the ${named} names it`
    : file.startsWith('.auto/') || file.startsWith('autoresearch')
      ? 'it belongs to the judge'
      : config.locked.length > 0
        ? '--lock names it'
        : undefined
  if (why === undefined) return []
  const fix = 'put it back, name it in --scope, or start anew with --reset'
  return [`${file} is locked because ${why}; files that judge a run must not change: ${fix}`]
}

export function implausibleNote({ config }: ExperimentSegment): string {
  const limit = config.gate.maxPlausible
  return (
    `better than ${limit}x, or at or beyond zero, is not believed: read the change, then accept ` +
    'it with `anode research run --accept-implausible`, or allow more with --max-plausible at init'
  )
}

export const speaksNote = (detail = ''): string =>
  `the change may print metrics for the benchmark${detail && ` (${detail})`}: remove that, or read ` +
  'the change and accept it with `anode research run --accept-implausible`'

// Errors of a study's journal: for an unknown study, and for a server that may have lost lines in a restart.
import { FailureError } from '../../base/errors.ts'

export function makeUnknownStudyError(study: string): FailureError {
  return new FailureError({
    code: 'not_found',
    message: `unknown study ${study}`,
    hint: 'To see the latest study of this project, run `anode study status last`.',
    detail: { study },
  })
}

/**
 * The error for a server that was restarted and may have lost lines of a study. Until a process has compared
 * its log with a local copy, the server accepts no writes for the study.
 */
export class StandstillError extends FailureError {
  constructor(study: string) {
    super({
      code: 'io',
      message: `the server was restarted, and its log of study ${study} was not compared with a mirror since`,
      hint: `To compare it, run \`anode study resume ${study}\` on the machine that started it.`,
    })
  }
}

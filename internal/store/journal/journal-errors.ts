// Errors of a study's journal: an unknown study, and a server whose log was not compared after a restart.
import { FailureError } from '../../base/errors.ts'

export function makeUnknownStudyError(study: string): FailureError {
  return new FailureError({
    code: 'not_found',
    message: `there is no study ${study}`,
    hint: 'anode study status last shows the newest one of this project.',
    detail: { study },
  })
}

/** The error for a server that lost a study, or perhaps its end, and got no copy back since. */
export class StandstillError extends FailureError {
  constructor(study: string) {
    super({
      code: 'io',
      message:
        `the server was restarted, and nobody has compared its log of study ${study} with a ` +
        'mirror since',
      hint: `anode study resume ${study} on the machine that started it does.`,
    })
  }
}

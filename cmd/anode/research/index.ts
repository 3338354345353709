// The verb `anode research`, whose commands measure experiments.
import { loadAuto } from '../long-verbs.ts'
import type { VerbGroup } from '../verb.ts'
import { compare } from './compare.ts'
import { cpu } from './cpu.ts'
import { exportSession } from './export.ts'
import { final, finalize } from './final.ts'
import { init } from './init.ts'
import { log } from './log.ts'
import { resume } from './resume.ts'
import { run } from './run.ts'
import { status } from './status.ts'
import { verify } from './verify.ts'

export const research: VerbGroup = {
  name: 'research',
  summary: 'Change, measure, decide: experiments that noise and agents cannot fool',
  verbs: {
    init,
    run,
    log,
    auto: loadAuto,
    aa: () => import('./aa.ts').then((m) => m.aa),
    compare,
    status,
    resume,
    verify,
    final,
    export: exportSession,
    finalize,
    cpu,
  },
}

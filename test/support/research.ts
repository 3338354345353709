// A repository with a benchmark whose result a file decides, and a session over it; removed with the test.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openResearch } from '../../internal/research/engine.ts'
import type { ResearchProgress } from '../../internal/research/progress.ts'
import type { ResearchOptions, ResearchSession } from '../../internal/research/session.ts'
import type { SessionSettings } from '../../internal/research/settings.ts'
import { git, repoWith } from './repo.ts'
import { run } from './run.ts'
import { scratch } from './scratch.ts'

export interface Lab {
  dir: string
  data: string
  told: ResearchProgress[]
  open(over?: Partial<ResearchOptions>): Promise<ResearchSession>
  put(path: string, text: string, mode?: number): void
  read(path: string): string
  git(...args: string[]): string
}

export const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** `speed.txt` holds the value that the benchmark prints; `noise.txt` (if there) turns it into a noisy one. */
export const files = {
  'speed.txt': '100\n',
  'README.md': 'read me\n',
  '.auto/measure.sh': 'echo "METRIC ms=$(cat speed.txt)"\n',
}

/** Prints what src/prog.sh does, with up to 5 % of noise so fine that three samples of it are never the same. */
export const noisyMeasure = 'cost=$(bash src/prog.sh); echo "METRIC ms=$((cost * 6553 + RANDOM))"\n'

export function lab(more: Readonly<Record<string, string>> = files): Lab {
  const dir = repoWith(more)
  appendFileSync(join(dir, '.git', 'config'), '[user]\n\tname = A\n\temail = a@example.org\n')
  // a metric that is drawn needs the usual number of samples, or it may be taken for one that never moves
  const drawn = Object.values(more).some((text) => text.includes('RANDOM') && text !== noisyMeasure)
  return labIn(dir, drawn ? {} : { baselineSamples: 3 })
}

export function labIn(dir: string, ground: Partial<ResearchOptions> = {}): Lab {
  const data = scratch()
  const told: ResearchProgress[] = []
  return {
    dir,
    data,
    told,
    open: (over = {}) =>
      openResearch({
        cwd: dir,
        data,
        env,
        run,
        signal: new AbortController().signal,
        tell: (event) => told.push(event),
        ...ground,
        ...over,
      }),
    put(path, text, mode) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
      if (mode !== undefined) chmodSync(join(dir, path), mode)
    },
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    git: (...args) => git(dir, ...args),
  }
}

export const plain: SessionSettings = {
  name: 'try',
  metric: 'ms',
  direction: 'lower',
  command: 'bash .auto/measure.sh',
}

export const paired: SessionSettings = { ...plain, gate: 'paired' }

/** Returns the code of the failure that a promise rejects with, or `exit N` of a user error. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'nothing'
  } catch (error) {
    const { failure, exit } = error as { failure?: { code: string }; exit?: number }
    if (failure) return failure.code
    if (exit !== undefined) return `exit ${exit}`
    throw error
  }
}

// The command `anode worker`, which gets tasks of studies from a server and works on them with the files of
// this machine. With --ssh, it starts such workers on other machines.
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { serveStudies } from '../../../internal/service/study/remote-worker.ts'
import { readHosts, serveOverSsh } from '../../../internal/service/study/ssh-workers.ts'
import type { WorkerNews } from '../../../internal/service/study/worker-news.ts'
import {
  addStudyReason,
  describeStudyReason,
  describeTaskEnd,
} from '../../../internal/session/board/study-words.ts'
import { shortId } from '../../../internal/study/progress/progress-lines.ts'
import { readNumber } from '../flags.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'

export const serveWorker: Verb = {
  name: 'worker',
  summary: 'Work on studies that are kept on a Redis server, started here or on other machines',
  usage: 'worker --engine URL [flags]',
  options: {
    engine: {
      type: 'string',
      describe:
        'redis[s]://[user:pass@]host[:port][/db]; default: ANODE_ENGINE, which keeps a password ' +
        'out of the list of processes; -: a line of standard input, whose end ends the worker',
      value: 'URL',
    },
    'engine-unsafe': { type: 'boolean', describe: 'Use a Redis server that does not keep every write' },
    concurrency: { type: 'number', describe: 'Tasks at once, at most 256 (default 1)', value: 'N' },
    slots: { type: 'number', describe: 'Same as --concurrency', value: 'N' },
    ssh: { type: 'string', describe: 'Start a worker on each of these machines instead', value: 'HOST,…' },
    root: { type: 'string', describe: 'Files to read (default: the working directory)', value: 'DIR' },
    model: { type: 'string', describe: "Model of the agents (default: a study's own)", value: 'MODEL' },
    once: { type: 'boolean', describe: 'End after one task' },
    label: { type: 'string', describe: 'Name of this worker (default HOST-PID-1)', value: 'L' },
    json: { type: 'boolean', describe: 'Print one JSON object a line' },
  },
  examples: [
    ['anode worker --engine redis://10.0.0.5', 'Serve studies about a checkout like this one'],
    ['anode worker --engine redis://10.0.0.5 --ssh build7,build8 --slots 8', 'Workers on two machines'],
    ['ANODE_ENGINE=rediss://:secret@h:6380 anode worker --concurrency 4', 'Keep the password out of sight'],
  ],
  run: runWorker,
}

async function runWorker(args: CommandArgs, io: CommandIo): Promise<number> {
  const named = stringArg(args, 'engine') ?? (io.env['ANODE_ENGINE'] || undefined)
  const slots = readNumber(args, 'slots', 1, 256)
  const concurrency = readNumber(args, 'concurrency', 1, 256) ?? slots ?? 1
  try {
    const { engine, signal } = named === '-' ? await readEngine(io) : { engine: named, signal: io.signal }
    if (engine === undefined || engine === 'embedded') {
      throw new UserError('a worker needs --engine redis://…', {
        hint: 'The embedded engine starts its workers by itself.',
      })
    }
    const place = { engine, signal, concurrency }
    await (stringArg(args, 'ssh') === undefined ? serveHere(args, io, place) : runOverSsh(args, io, place))
  } finally {
    // Standard input that contained the URL is still open, which would keep the process alive after
    // an error too. The command that started this worker over ssh would then wait for its end.
    if (named === '-') io.stdin.destroy()
  }
  // The signal SIGTERM is the normal way to end a worker, so the exit code is 0.
  return Number(process.exitCode ?? 143) === 143 ? 0 : Number(process.exitCode)
}

/** The server with its password, the end of the work, and the tasks at once of each worker. */
interface WorkerPlace {
  engine: string
  signal: AbortSignal
  concurrency: number
}

/** Works on this machine until the signal aborts. Throws UserError for a label that is empty or too long. */
async function serveHere(args: CommandArgs, io: CommandIo, place: WorkerPlace): Promise<void> {
  const label = stringArg(args, 'label') ?? `${hostname()}-${process.pid}-1`
  if (label.trim() === '' || label.length > 100) throw new UserError('--label must have 1 to 100 characters')
  const isJson = flagArg(args, 'json')
  await serveStudies({
    ...place,
    unsafe: flagArg(args, 'engine-unsafe'),
    root: resolve(io.cwd, stringArg(args, 'root') ?? '.'),
    model: stringArg(args, 'model'),
    once: flagArg(args, 'once'),
    label,
    cwd: io.cwd,
    env: io.env,
    tell: (news) =>
      void io.stdout.write(`${isJson ? JSON.stringify(news) : sanitizeText(describeNews(news))}\n`),
  })
}

/**
 * Reads the URL from the first line of standard input. Throws UserError without a URL. The signal aborts when
 * the input ends or the command is stopped.
 */
async function readEngine(io: CommandIo): Promise<{ engine: string; signal: AbortSignal }> {
  const inputEnd = new AbortController()
  const lines = createInterface({ input: io.stdin })
  const engine = await new Promise<string>((done) => {
    lines.once('line', done)
    lines.once('close', () => {
      inputEnd.abort(new Error('standard input has ended'))
      done('')
    })
  })
  if (engine.trim() === '') {
    throw new UserError('--engine -: standard input has no URL', {
      hint: 'Write redis://… as its first line, and keep it open: its end ends the worker.',
    })
  }
  return { engine: engine.trim(), signal: AbortSignal.any([io.signal, inputEnd.signal]) }
}

/**
 * Starts workers on other machines and waits until they have ended after a signal. Throws UserError
 * for `--label`, and for an invalid host or address of the server. Also throws if all workers end without a
 * signal; with `--once`, only if one failed.
 */
async function runOverSsh(args: CommandArgs, io: CommandIo, place: WorkerPlace): Promise<void> {
  const { engine, signal, concurrency: slots } = place
  const hosts = readHosts(stringArg(args, 'ssh') ?? '')
  if (stringArg(args, 'label') !== undefined)
    throw new UserError('--label names one worker, and --ssh starts several', {
      hint: 'leave out --label: each worker has the name of its host',
    })
  const texts = ['root', 'model'].flatMap((name) => {
    const value = stringArg(args, name)
    return value === undefined ? [] : [`--${name}=${value}`]
  })
  const flags = ['engine-unsafe', 'once'].filter((name) => flagArg(args, name)).map((name) => `--${name}`)
  const isJson = flagArg(args, 'json')
  await serveOverSsh({
    hosts,
    engine,
    words: ['--slots', `${slots}`, ...texts, ...flags],
    env: io.env,
    cwd: io.cwd,
    once: flagArg(args, 'once'),
    signal,
    tell(host, news) {
      const text = isJson
        ? JSON.stringify({ machine: host, ...news })
        : sanitizeText(`${host}  ${describeNews(news)}`)
      io.stdout.write(`${text}\n`)
    },
  })
}

function describeNews(news: WorkerNews): string {
  switch (news.event) {
    case 'ready': {
      const { commit } = news
      const at = commit === undefined ? '' : `, commit ${commit.slice(0, 12)}`
      const files = news.files === undefined ? '' : ` (${countNoun(news.files, 'file')}${at})`
      return `worker ${news.label} serves corpus ${news.corpus.slice(0, 12)}${files} at ${news.engine}`
    }
    case 'started':
      return (
        `${shortId(news.study)} ${news.task}  ` +
        `started${news.attempt > 1 ? `, attempt ${news.attempt}` : ''}`
      )
    case 'ended': {
      const end = addStudyReason(describeTaskEnd(news.end), news.reason ?? null)
      return (
        `${shortId(news.study)} ${news.task}  ${end}  ${countNoun(news.claims, 'claim')}  ` +
        `${(news.ms / 1000).toFixed(1)}s`
      )
    }
    case 'returned':
      return `${shortId(news.study)} ${news.task}  returned: ${describeStudyReason(news.why)}`
    case 'note':
      return news.text
  }
}

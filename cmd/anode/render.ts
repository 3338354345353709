// `anode render`: draws a spec of components from a file, an argument or standard input.
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { codeOf, messageOf, UserError } from '../../internal/base/errors.ts'
import { render as draw, type RenderResult } from '../../internal/render/render.ts'
import { issueLine, type SpecIssue } from '../../internal/render/spec/issues.ts'
import { parseBytes } from '../../internal/render/spec/parse.ts'
import { maxTerminalCells, minTerminalCells, terminalOptions } from '../../internal/render/terminal.ts'
import { exitCodes } from './exit-codes.ts'
import { readNumber } from './flags.ts'
import { escapeHidden } from './io/json.ts'
import { readBytes, writeText } from './io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from './verb.ts'

export const render: Verb = {
  name: 'render',
  summary: 'Draw a JSON tree of components (cards, tables, charts) as terminal lines',
  usage: 'render [-f FILE | --spec SPEC | --json SPEC] [flags]',
  options: {
    file: {
      type: 'string',
      describe: 'Read the spec from a file; - is standard input',
      alias: 'f',
      value: 'FILE',
    },
    spec: { type: 'string', describe: 'The spec itself, or @FILE', value: 'SPEC' },
    json: {
      type: 'string',
      describe: 'With a spec or @FILE the same as --spec; alone --output json',
      value: 'SPEC',
      bare: true,
    },
    width: {
      type: 'number',
      describe: `Cells of a line, ${minTerminalCells} to ${maxTerminalCells}`,
      value: 'N',
    },
    ascii: { type: 'boolean', describe: 'Draw with ASCII characters only' },
    plain: { type: 'boolean', describe: 'Linear text without borders, for screen readers and logs' },
    all: { type: 'boolean', describe: 'All rows of long tables and lists' },
    check: { type: 'boolean', describe: 'Only say what is wrong with the spec' },
    output: {
      type: 'string',
      describe: 'Lines, or one JSON object with lines, errors and warnings',
      choices: ['text', 'json'],
      default: 'text',
    },
  },
  examples: [
    ['anode render -f report.json', 'Draw a file in the width of the terminal'],
    [
      `anode render --ascii --json '{"root":"a","elements":{"a":{"type":"Badge","props":{"label":"ok"}}}}'`,
      'Draw a spec given as argument, without Unicode',
    ],
    ['anode render --check < report.json', 'Errors and warnings only; exit 1 when there is an error'],
  ],
  run: renderSpec,
}

const maxSpecBytes = 20 * 1024 * 1024

async function renderSpec(args: CommandArgs, io: CommandIo): Promise<number> {
  const width = readNumber(args, 'width', minTerminalCells, maxTerminalCells)
  const json = args.json === '' || args.output === 'json'
  const source = await readSpec(args, io)
  const color = stringArg(args, 'color') as 'auto' | 'always' | 'never' | undefined
  const look = terminalOptions({
    env: io.env,
    // JSON is for programs: colour there only when asked for
    stream: json ? {} : io.stdout,
    flags: { width, color, ascii: flagArg(args, 'ascii') },
  })
  const parsed = source.ok ? parseBytes(source.bytes) : source
  const drawn: RenderResult = parsed.ok
    ? draw(parsed.spec, { ...look, plain: flagArg(args, 'plain'), all: flagArg(args, 'all') })
    : { ok: false, lines: [], errors: [parsed.issue], warnings: [] }
  const shown = flagArg(args, 'check') ? { ...drawn, lines: [] } : drawn
  if (json) await writeText(io.stdout, asJson(shown, parsed, source))
  else await printText(shown, io)
  return drawn.ok ? exitCodes.done : exitCodes.failed
}

/** What became of the source: a spec, or why there is none. */
type ParsedSource = ReturnType<typeof parseBytes>

type Source = { ok: true; bytes: Uint8Array } | { ok: false; issue: SpecIssue }

/** The bytes of the one place that was named; standard input when none was. */
async function readSpec(args: CommandArgs, io: CommandIo): Promise<Source> {
  const file = stringArg(args, 'file')
  const spec = stringArg(args, 'spec')
  const json = args.json === '' ? undefined : stringArg(args, 'json')
  if ([file, spec, json].filter((source) => source !== undefined).length > 1) {
    throw new UserError('give one of -f, --spec and --json with a spec', {
      hint: '--output json asks for JSON output',
    })
  }
  if (json !== undefined && !/^\s*[{@]/.test(json)) {
    throw new UserError('--json takes an object or @FILE', { hint: 'use --spec for any other text' })
  }
  const text = spec ?? json
  if (text?.startsWith('@')) return readFrom(text.slice(1), io)
  if (text !== undefined) return { ok: true, bytes: Buffer.from(text) }
  if (file !== undefined && file !== '-') return readFrom(file, io)
  if (file === undefined && io.stdin.isTTY) {
    throw new UserError('the spec is missing', {
      hint: 'name a file with -f, or pipe a spec into the command',
    })
  }
  const bytes = await readBytes(io, maxSpecBytes)
  return bytes ? { ok: true, bytes } : tooLarge()
}

async function readFrom(name: string, io: CommandIo): Promise<Source> {
  const path = resolve(io.cwd, name)
  try {
    if ((await stat(path)).size > maxSpecBytes) return tooLarge()
    return { ok: true, bytes: await readFile(path) }
  } catch (error) {
    const reasons: Record<string, string> = {
      ENOENT: 'the file does not exist',
      EISDIR: 'it is a folder',
      EACCES: 'it may not be read',
    }
    const why = reasons[codeOf(error) ?? ''] ?? messageOf(error)
    throw new UserError(`cannot read ${name}: ${why}`, { hint: 'name a file that can be read', cause: error })
  }
}

function tooLarge(): Source {
  const message = `more than ${maxSpecBytes} bytes of JSON`
  return { ok: false, issue: { code: 'too_large', path: '', message } }
}

async function printText({ errors, warnings, lines }: RenderResult, io: CommandIo): Promise<void> {
  const problems = [
    ...errors.map((issue) => issueLine('error', issue)),
    ...warnings.map((issue) => issueLine('warning', issue)),
  ]
  if (problems.length > 0) await writeText(io.stderr, `${problems.join('\n')}\n`)
  if (lines.length > 0) await writeText(io.stdout, `${lines.join('\n')}\n`)
}

function asJson({ ok, errors, warnings, lines }: RenderResult, parsed: ParsedSource, source: Source): string {
  const text = JSON.stringify({ ok, errors, warnings, lines })
  return `${escapeHidden(`${text.slice(0, -1)},"render_spec":${specText(parsed, source)}}`)}\n`
}

/** The spec as it came; null for what was no JSON. Nested deeper than JSON.stringify goes, its own text. */
function specText(parsed: ParsedSource, source: Source): string {
  if (!parsed.ok) return 'null'
  try {
    return JSON.stringify(parsed.spec)
  } catch (error) {
    if (!(error instanceof RangeError) || !source.ok) throw error
    return new TextDecoder().decode(source.bytes).trim()
  }
}

// The command `anode render`, which draws a component from a JSON spec, or with --screen the output
// of a terminal.
import { UserError } from '../../internal/base/errors.ts'
import { render as draw, type RenderResult } from '../../internal/render/render.ts'
import { issueLine } from '../../internal/render/spec/issues.ts'
import { parseBytes } from '../../internal/render/spec/parse.ts'
import { maxTerminalCells, minTerminalCells, terminalOptions } from '../../internal/render/terminal.ts'
import { exitCodes } from './exit-codes.ts'
import { readNumber } from './flags.ts'
import { escapeHidden } from './io/json.ts'
import { writeText } from './io/streams.ts'
import { drawLines, drawTerminalOutput, imageLook } from './render/image.ts'
import { readSpec, type SpecSource } from './render/spec-source.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from './verb.ts'

export const render: Verb = {
  name: 'render',
  summary: 'Draw a JSON tree of components (cards, tables, charts) as terminal lines or an image',
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
      describe: 'Lines, one JSON object with lines, errors and warnings, or an SVG image',
      choices: ['text', 'json', 'svg'],
      default: 'text',
    },
    title: { type: 'string', describe: 'Title bar of an SVG image', value: 'TEXT' },
    screen: {
      type: 'boolean',
      describe: 'Draw an SVG image of terminal output with colors instead of a spec',
    },
  },
  examples: [
    ['anode render -f report.json', 'Draw a file in the width of the terminal'],
    [
      `anode render --ascii --json '{"root":"a","elements":{"a":{"type":"Badge","props":{"label":"ok"}}}}'`,
      'Draw a spec given as argument, without Unicode',
    ],
    ['anode render -f report.json --output svg > report.svg', 'Save an image'],
    [
      'tmux capture-pane -ep | anode render --screen --output svg > session.svg',
      'Save an image of a tmux pane',
    ],
    ['anode render --check < report.json', 'Errors and warnings only; exit 1 when there is an error'],
  ],
  run: renderSpec,
}

async function renderSpec(args: CommandArgs, io: CommandIo): Promise<number> {
  const width = readNumber(args, 'width', minTerminalCells, maxTerminalCells)
  const output = readOutput(args)
  const source = await readSpec(args, io)
  if (flagArg(args, 'screen')) return await writeScreen(source, stringArg(args, 'title'), io)
  const color = stringArg(args, 'color') as 'auto' | 'always' | 'never' | undefined
  const look = terminalOptions({
    env: io.env,
    // JSON is for programs, so it has colors only on request.
    stream: output === 'json' ? {} : io.stdout,
    flags: { width, color, ascii: flagArg(args, 'ascii') },
  })
  if (output === 'svg') Object.assign(look, imageLook(args, io))
  const parsed = source.ok ? parseBytes(source.bytes) : source
  const drawn: RenderResult = parsed.ok
    ? draw(parsed.spec, { ...look, plain: flagArg(args, 'plain'), all: flagArg(args, 'all') })
    : { ok: false, lines: [], errors: [parsed.issue], warnings: [] }
  const result = flagArg(args, 'check') ? { ...drawn, lines: [] } : drawn
  if (output === 'json') await writeText(io.stdout, asJson(result, parsed, source))
  else {
    await printIssues(result, io)
    const text = output === 'svg' ? drawLines : joinLines
    if (result.lines.length > 0) await writeText(io.stdout, text(result.lines, stringArg(args, 'title')))
  }
  return drawn.ok ? exitCodes.done : exitCodes.failed
}

const joinLines = (lines: readonly string[]) => `${lines.join('\n')}\n`

/**
 * Returns the output format that the flags select. Throws UserError for flags that contradict each other or
 * need another format.
 */
function readOutput(args: CommandArgs): string {
  const output = stringArg(args, 'output') ?? 'text'
  if (output === 'svg' && args.json === '')
    throw new UserError('--json and --output svg exclude each other', { hint: 'leave one of them out' })
  const needy = ['screen', 'title'].find((name) => args[name] !== undefined && args[name] !== false)
  if (needy !== undefined && output !== 'svg')
    throw new UserError(`--${needy} needs --output svg`, {
      hint: `add --output svg, or leave --${needy} out`,
    })
  return args.json === '' ? 'json' : output
}

/** The parsed spec, or the issue because of which it cannot be parsed. */
type ParsedSource = ReturnType<typeof parseBytes>

async function printIssues({ errors, warnings }: RenderResult, io: CommandIo): Promise<void> {
  const problems = [
    ...errors.map((issue) => issueLine('error', issue)),
    ...warnings.map((issue) => issueLine('warning', issue)),
  ]
  const isUnread = errors.some(({ code }) => code === 'bad_json')
  const next = isUnread ? ['anode manual render explains specs; anode render -f FILE reads one'] : []
  if (problems.length > 0) await writeText(io.stderr, joinLines([...problems, ...next]))
}

async function writeScreen(source: SpecSource, title: string | undefined, io: CommandIo): Promise<number> {
  if (!source.ok) {
    await writeText(io.stderr, `${issueLine('error', source.issue)}\n`)
    return exitCodes.failed
  }
  await writeText(io.stdout, drawTerminalOutput(new TextDecoder().decode(source.bytes), title))
  return exitCodes.done
}

function asJson(
  { ok, errors, warnings, lines }: RenderResult,
  parsed: ParsedSource,
  source: SpecSource,
): string {
  const text = JSON.stringify({ ok, errors, warnings, lines })
  return `${escapeHidden(`${text.slice(0, -1)},"render_spec":${specText(parsed, source)}}`)}\n`
}

/**
 * Returns the spec as JSON text; `null` if the source could not be read or parsed. If the JSON is nested too
 * deeply for JSON.stringify, returns the source text.
 */
function specText(parsed: ParsedSource, source: SpecSource): string {
  if (!parsed.ok) return 'null'
  try {
    return JSON.stringify(parsed.spec)
  } catch (error) {
    if (!(error instanceof RangeError) || !source.ok) throw error
    return new TextDecoder().decode(source.bytes).trim()
  }
}

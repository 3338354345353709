// Parameters that native tools have only in calls through a toolset of another program. No model sees them.
import * as z from 'zod/mini'
import { field, filledText, optionalFlag, optionalNumber } from '../../tool/field.ts'
import type { Tool, ToolInput } from '../../tool/tool.ts'

/**
 * Parameters of `read` and `multi_read`: whether lines have numbers, how many are shown, and whether control
 * characters are refused.
 */
const plainLines = {
  numbers: field(optionalFlag(), 'Number lines'),
  max_lines: field(optionalNumber(0), 'Most lines of a file without a range; 0: no limit'),
  refuse_control: field(optionalFlag(), 'Refuse control characters'),
}

const webFetch = {
  start_char: field(optionalNumber(0), 'First character, counted from 0'),
  max_chars: field(optionalNumber(), 'Most characters shown; default 20,000', { cap: 200_000 }),
  raw: field(optionalFlag(), 'HTML as it is'),
  timeout_ms: field(optionalNumber(), 'Milliseconds for everything; default 30,000', { cap: 120_000 }),
  headers: field(z.optional(z.record(z.string(), z.string())), 'Request headers by name', { secret: true }),
}

const webSearch = {
  country: field(
    z.optional(z.string().check(z.regex(/^[A-Za-z]{2}$/))),
    'Country to search from, two letters',
  ),
  safe_search: field(optionalFlag(), 'Leave out what is for adults'),
  prefer: field(z.optional(z.literal('serper')), 'Engine to ask first if its key is set'),
}

/** The further parameters of each native tool that has some. */
const parameters = {
  bash: {
    stdin: field(z.optional(z.string()), 'What the command can read'),
    strict: field(optionalFlag(), 'Any command that fails ends the line, in a pipe too'),
    streams: field(
      z.optional(z.enum(['together', 'apart'])),
      'apart: standard error is shown below standard output',
    ),
  },
  create_file: { parents: field(optionalFlag(), 'Make missing folders above it') },
  edit_file: {
    hunk_order: field(z.optional(z.enum(['any', 'file'])), 'Whether hunks must follow the file'),
  },
  glob: {
    directories: field(optionalFlag(), 'Match folders, too'),
    ignored: field(optionalFlag(), 'Match what ignore files exclude, too'),
    anywhere: field(optionalFlag(), 'A pattern without a slash matches names at any depth'),
    exclude: field(z.optional(z.array(filledText())), 'Globs of what is left out'),
    offset: field(optionalNumber(0), 'How many matches are passed over first'),
  },
  grep: {
    exclude: field(z.optional(z.array(filledText())), 'Globs of what is not searched'),
    ignored: field(optionalFlag(), 'Search what ignore files exclude, too'),
    max_chars: field(optionalNumber(), 'Most characters of results'),
    count_files: field(optionalFlag(), 'Tell how many files were searched'),
  },
  look_at: {
    as_is: field(optionalFlag(), 'Give the bytes as they are, as the picture its name says'),
    base64: field(optionalFlag(), 'Give a file of another format as text in base64'),
    pictures: field(optionalNumber(0), 'Pictures of a PDF to show; default: none'),
  },
  multi_read: { ...plainLines, bulk: field(optionalFlag(), 'Allow up to 100 paths') },
  read: { ...plainLines, max_chars: field(optionalNumber(), 'Most characters') },
  task: { serves: field(z.optional(z.string()), 'What the profile has to serve') },
  web_fetch: webFetch,
  web_search: webSearch,
}

/** The further arguments of a native tool that a call through an adapter may have. */
export type VariantArgs<T extends keyof typeof parameters> = Partial<
  z.output<z.ZodMiniObject<(typeof parameters)[T]>>
>

const variants = new WeakMap<object, Tool>()

/**
 * Returns the variant of a native tool that adapters call: the same tool with further parameters. A tool
 * without any is returned itself. The same tool always has the same variant.
 */
export function variantOf<I extends ToolInput, D>(tool: Tool<I, D>): Tool<ToolInput, D> {
  const cachedVariant = variants.get(tool)
  if (cachedVariant) return cachedVariant as Tool<ToolInput, D>
  const baseTool = tool as unknown as Tool<ToolInput, D>
  const extra = (parameters as Readonly<Record<string, ToolInput['shape']>>)[tool.name]
  const variant =
    extra === undefined ? baseTool : { ...baseTool, input: z.object({ ...baseTool.input.shape, ...extra }) }
  variants.set(tool, variant as Tool)
  return variant
}

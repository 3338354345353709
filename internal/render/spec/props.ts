// The properties of the eighteen component types: one schema for each type, which also sanitizes texts.
import * as z from 'zod/mini'
import { sanitizeText } from '../text/terminal-filter.ts'

/** Schema of a text on one line. The texts of `prose` may have several lines. */
const label = z.string().check(z.overwrite((text) => sanitizeText(text)))
const prose = z.string().check(z.overwrite((text) => sanitizeText(text, { keepLines: true })))

const numberBetween = (min: number, max: number) => z.number().check(z.gte(min), z.lte(max))

/** Returns the schema as an optional property, for which null counts as missing. */
const allowMissing = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

const color = allowMissing(label)
const flag = allowMissing(z.boolean())
const cellsOf = (min: number) => allowMissing(numberBetween(min, 500))

/**
 * Schema of a size: a number of cells, or a percentage of the available space such as `50%`, both from
 * 0 to 500.
 */
const size = allowMissing(
  z.custom<number | string>((value) => {
    const percent = typeof value === 'string' ? /^(\d+(?:\.\d+)?)%$/.exec(value)?.[1] : undefined
    const amount = percent === undefined ? value : Number(percent)
    return typeof amount === 'number' && amount >= 0 && amount <= 500
  }, 'must be a number from 0 to 500 or a percentage such as "50%"'),
)

const factor = allowMissing(numberBetween(0, 1e6))
const list = z.custom<readonly unknown[]>(Array.isArray, 'must be an array')
const status = z.enum(['info', 'success', 'warning', 'error'])

const sidesOf = <N extends string>(name: N) => {
  const names = ['', 'X', 'Y', 'Top', 'Bottom', 'Left', 'Right'].map((side) => [name + side, cellsOf(0)])
  return Object.fromEntries(names) as Record<
    `${N}${'' | 'X' | 'Y' | 'Top' | 'Bottom' | 'Left' | 'Right'}`,
    ReturnType<typeof cellsOf>
  >
}

/**
 * Schemas by component type. Of `data`, `rows` and `items` they only check that they are arrays, and of
 * `columns` also that it is not empty. `listItemSchemas` checks the items of these lists, and cell-text.ts
 * those of `rows` and of `items` of List.
 */
export const componentSchemas = {
  Box: z.object({
    flexDirection: allowMissing(z.enum(['row', 'row-reverse', 'column', 'column-reverse'])),
    alignItems: allowMissing(z.enum(['flex-start', 'center', 'flex-end', 'stretch'])),
    justifyContent: allowMissing(
      z.enum(['flex-start', 'center', 'flex-end', 'space-between', 'space-around', 'space-evenly']),
    ),
    flexGrow: factor,
    flexShrink: factor,
    flexWrap: allowMissing(z.enum(['nowrap', 'wrap', 'wrap-reverse'])),
    width: size,
    height: size,
    minWidth: size,
    minHeight: size,
    ...sidesOf('padding'),
    ...sidesOf('margin'),
    gap: cellsOf(0),
    columnGap: cellsOf(0),
    rowGap: cellsOf(0),
    borderStyle: allowMissing(
      z.enum(['single', 'double', 'round', 'bold', 'singleDouble', 'doubleSingle', 'classic']),
    ),
    borderColor: color,
    borderTop: flag,
    borderBottom: flag,
    borderLeft: flag,
    borderRight: flag,
    borderDimColor: flag,
    display: allowMissing(z.enum(['flex', 'none'])),
    overflow: allowMissing(z.enum(['visible', 'hidden'])),
    backgroundColor: color,
  }),
  Text: z.object({
    text: prose,
    color,
    backgroundColor: color,
    bold: flag,
    italic: flag,
    underline: flag,
    strikethrough: flag,
    dimColor: flag,
    inverse: flag,
    wrap: allowMissing(z.enum(['wrap', 'truncate', 'truncate-end', 'truncate-middle', 'truncate-start'])),
  }),
  Heading: z.object({ text: label, level: allowMissing(z.enum(['h1', 'h2', 'h3', 'h4'])), color }),
  Divider: z.object({
    character: allowMissing(label),
    color,
    dimColor: flag,
    title: allowMissing(label),
    width: cellsOf(1),
  }),
  Newline: z.object({ count: allowMissing(numberBetween(0, 50)) }),
  Spacer: z.object({}),
  BarChart: z.object({
    data: list,
    width: cellsOf(1),
    showValues: flag,
    showPercentage: flag,
  }),
  Sparkline: z.object({
    data: list,
    width: cellsOf(1),
    color,
    label: allowMissing(label),
    min: allowMissing(z.number()),
    max: allowMissing(z.number()),
  }),
  Table: z.object({
    columns: z.custom<readonly unknown[]>(
      (value) => Array.isArray(value) && value.length > 0,
      'must be an array that is not empty',
    ),
    rows: list,
    borderStyle: allowMissing(z.enum(['single', 'double', 'round', 'bold', 'classic'])),
    backgroundColor: color,
    headerColor: color,
  }),
  List: z.object({
    items: list,
    ordered: flag,
    bulletChar: allowMissing(label),
    spacing: allowMissing(numberBetween(0, 50)),
  }),
  Card: z.object({ title: allowMissing(label), backgroundColor: color, padding: cellsOf(0) }),
  StatusLine: z.object({ text: prose, status: allowMissing(status), icon: allowMissing(label) }),
  KeyValue: z.object({
    label,
    value: z.nullable(
      z.union([prose, z.number(), z.array(label)], 'must be a string, a number or an array of strings'),
    ),
    labelColor: color,
    separator: allowMissing(label),
  }),
  Badge: z.object({
    label,
    variant: allowMissing(z.enum(['default', 'info', 'success', 'warning', 'error'])),
  }),
  ProgressBar: z.object({ progress: z.number(), width: cellsOf(1), color, label: allowMissing(label) }),
  Metric: z.object({
    label,
    value: z.unknown(),
    detail: allowMissing(label),
    trend: allowMissing(z.enum(['up', 'down', 'neutral'])),
    good: allowMissing(z.enum(['up', 'down'])),
  }),
  Callout: z.object({
    content: prose,
    type: allowMissing(z.enum(['info', 'tip', 'warning', 'important'])),
    title: allowMissing(label),
  }),
  Timeline: z.object({ items: list }),
} as const

/** Schemas for the items of lists of objects and numbers. */
export const listItemSchemas = {
  BarChart: { key: 'data', schema: z.object({ label, value: z.number(), color }) },
  Sparkline: { key: 'data', schema: z.number() },
  Table: {
    key: 'columns',
    schema: z.object({
      header: label,
      key: z.string(),
      width: allowMissing(numberBetween(1, 200)),
      align: allowMissing(z.enum(['left', 'center', 'right'])),
    }),
  },
  Timeline: {
    key: 'items',
    schema: z.object({
      title: label,
      description: allowMissing(prose),
      date: allowMissing(label),
      status: allowMissing(z.enum(['completed', 'current', 'upcoming'])),
    }),
  },
} as const

export type ComponentType = keyof typeof componentSchemas

export const componentTypes = Object.keys(componentSchemas) as ComponentType[]

/** Types that accept children. */
export const containerTypes: ReadonlySet<string> = new Set<ComponentType>(['Box', 'Card'])

type ParsedProps = { [T in ComponentType]: z.output<(typeof componentSchemas)[T]> }

type ParsedLists = { [T in keyof typeof listItemSchemas]: z.output<(typeof listItemSchemas)[T]['schema']>[] }

/** Properties as components get them: parsed and valid, with table cells converted to texts. */
export type ComponentProps = Omit<ParsedProps, keyof ParsedLists | 'List' | 'Metric'> & {
  BarChart: Omit<ParsedProps['BarChart'], 'data'> & { data: ParsedLists['BarChart'] }
  Sparkline: Omit<ParsedProps['Sparkline'], 'data'> & { data: ParsedLists['Sparkline'] }
  Table: Omit<ParsedProps['Table'], 'columns' | 'rows'> & { columns: ParsedLists['Table']; rows: string[][] }
  Timeline: { items: ParsedLists['Timeline'] }
  List: Omit<ParsedProps['List'], 'items'> & { items: string[] }
  Metric: Omit<ParsedProps['Metric'], 'value'> & { value: string }
}

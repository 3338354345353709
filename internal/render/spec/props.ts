// The properties of the eighteen component types: one schema for each type, which also sanitizes texts.
import * as z from 'zod/mini'
import { sanitizeText } from '../text/terminal-filter.ts'

/** Schema of a text on one line. The texts of `prose` may have several lines. */
const label = z.string().check(z.overwrite((text) => sanitizeText(text)))
const prose = z.string().check(z.overwrite((text) => sanitizeText(text, { keepLines: true })))

const number = (min: number, max: number) => z.number().check(z.gte(min), z.lte(max))

/** Returns the schema as an optional property, for which null counts as missing. */
const may = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

const color = may(label)
const flag = may(z.boolean())
const cellsOf = (min: number) => may(number(min, 500))

/**
 * Schema of a size: a number of cells, or a percentage of the available space such as `50%`, both from
 * 0 to 500.
 */
const size = may(
  z.custom<number | string>((value) => {
    const percent = typeof value === 'string' ? /^(\d+(?:\.\d+)?)%$/.exec(value)?.[1] : undefined
    const amount = percent === undefined ? value : Number(percent)
    return typeof amount === 'number' && amount >= 0 && amount <= 500
  }, 'must be a number from 0 to 500 or a percentage such as "50%"'),
)

const factor = may(number(0, 1e6))
const list = z.custom<readonly unknown[]>(Array.isArray, 'must be an array')
const status = z.enum(['info', 'success', 'warning', 'error'])

const sides = <N extends string>(name: N) => {
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
    flexDirection: may(z.enum(['row', 'row-reverse', 'column', 'column-reverse'])),
    alignItems: may(z.enum(['flex-start', 'center', 'flex-end', 'stretch'])),
    justifyContent: may(
      z.enum(['flex-start', 'center', 'flex-end', 'space-between', 'space-around', 'space-evenly']),
    ),
    flexGrow: factor,
    flexShrink: factor,
    flexWrap: may(z.enum(['nowrap', 'wrap', 'wrap-reverse'])),
    width: size,
    height: size,
    minWidth: size,
    minHeight: size,
    ...sides('padding'),
    ...sides('margin'),
    gap: cellsOf(0),
    columnGap: cellsOf(0),
    rowGap: cellsOf(0),
    borderStyle: may(
      z.enum(['single', 'double', 'round', 'bold', 'singleDouble', 'doubleSingle', 'classic']),
    ),
    borderColor: color,
    borderTop: flag,
    borderBottom: flag,
    borderLeft: flag,
    borderRight: flag,
    borderDimColor: flag,
    display: may(z.enum(['flex', 'none'])),
    overflow: may(z.enum(['visible', 'hidden'])),
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
    wrap: may(z.enum(['wrap', 'truncate', 'truncate-end', 'truncate-middle', 'truncate-start'])),
  }),
  Heading: z.object({ text: label, level: may(z.enum(['h1', 'h2', 'h3', 'h4'])), color }),
  Divider: z.object({
    character: may(label),
    color,
    dimColor: flag,
    title: may(label),
    width: cellsOf(1),
  }),
  Newline: z.object({ count: may(number(0, 50)) }),
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
    label: may(label),
    min: may(z.number()),
    max: may(z.number()),
  }),
  Table: z.object({
    columns: z.custom<readonly unknown[]>(
      (value) => Array.isArray(value) && value.length > 0,
      'must be an array that is not empty',
    ),
    rows: list,
    borderStyle: may(z.enum(['single', 'double', 'round', 'bold', 'classic'])),
    backgroundColor: color,
    headerColor: color,
  }),
  List: z.object({ items: list, ordered: flag, bulletChar: may(label), spacing: may(number(0, 50)) }),
  Card: z.object({ title: may(label), backgroundColor: color, padding: cellsOf(0) }),
  StatusLine: z.object({ text: prose, status: may(status), icon: may(label) }),
  KeyValue: z.object({
    label,
    value: z.nullable(
      z.union([prose, z.number(), z.array(label)], 'must be a string, a number or an array of strings'),
    ),
    labelColor: color,
    separator: may(label),
  }),
  Badge: z.object({ label, variant: may(z.enum(['default', 'info', 'success', 'warning', 'error'])) }),
  ProgressBar: z.object({ progress: z.number(), width: cellsOf(1), color, label: may(label) }),
  Metric: z.object({
    label,
    value: z.unknown(),
    detail: may(label),
    trend: may(z.enum(['up', 'down', 'neutral'])),
    good: may(z.enum(['up', 'down'])),
  }),
  Callout: z.object({
    content: prose,
    type: may(z.enum(['info', 'tip', 'warning', 'important'])),
    title: may(label),
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
      width: may(number(1, 200)),
      align: may(z.enum(['left', 'center', 'right'])),
    }),
  },
  Timeline: {
    key: 'items',
    schema: z.object({
      title: label,
      description: may(prose),
      date: may(label),
      status: may(z.enum(['completed', 'current', 'upcoming'])),
    }),
  },
} as const

export type ComponentType = keyof typeof componentSchemas

export const componentTypes = Object.keys(componentSchemas) as ComponentType[]

/** Types that accept children. */
export const containerTypes: ReadonlySet<string> = new Set<ComponentType>(['Box', 'Card'])

type Parsed = { [T in ComponentType]: z.output<(typeof componentSchemas)[T]> }

type Lists = { [T in keyof typeof listItemSchemas]: z.output<(typeof listItemSchemas)[T]['schema']>[] }

/** Properties as components get them: parsed and valid, with table cells converted to texts. */
export type ComponentProps = Omit<Parsed, keyof Lists | 'List' | 'Metric'> & {
  BarChart: Omit<Parsed['BarChart'], 'data'> & { data: Lists['BarChart'] }
  Sparkline: Omit<Parsed['Sparkline'], 'data'> & { data: Lists['Sparkline'] }
  Table: Omit<Parsed['Table'], 'columns' | 'rows'> & { columns: Lists['Table']; rows: string[][] }
  Timeline: { items: Lists['Timeline'] }
  List: Omit<Parsed['List'], 'items'> & { items: string[] }
  Metric: Omit<Parsed['Metric'], 'value'> & { value: string }
}

// Random specs: valid ones of every type and property, and the ways in which they break.
import { type ComponentType, componentTypes, containerTypes } from '../../../internal/render/spec/props.ts'
import { words } from './oracle.ts'
import { below, pick, type Rng } from './random.ts'

interface Element {
  type: string
  props: Record<string, unknown>
  children: string[]
}

export interface Spec {
  root: string
  elements: Record<string, Element>
}

type Text = (rng: Rng) => string
type Make = (rng: Rng, text: Text) => unknown

const flag: Make = (rng) => rng() < 0.5
const say: Make = (rng, text) => text(rng)
const size: Make = (rng) => (rng() < 0.3 ? `${below(rng, 120)}%` : below(rng, 60))
const number: Make = (rng) => pick(rng, [0, 1, -1, 0.5, 1e-9, 12345.678, -3e12, below(rng, 100)])

function int(most: number, least = 0): Make {
  return (rng) => least + below(rng, most - least + 1)
}

function oneOf(...values: string[]): Make {
  return (rng) => pick(rng, values)
}

function list(make: Make, most = 5): Make {
  return (rng, text) => Array.from({ length: below(rng, most + 1) }, () => make(rng, text))
}

/** Returns an object with the required keys and about half of the others, sometimes null. */
function some(shape: Record<string, Make>, needed: string[] = []): Make {
  return (rng, text) => {
    const out: Record<string, unknown> = {}
    for (const [key, make] of Object.entries(shape)) {
      if (needed.includes(key)) out[key] = make(rng, text)
      else if (rng() < 0.5) out[key] = rng() < 0.1 ? null : make(rng, text)
    }
    return out
  }
}

function sides(name: string): Record<string, Make> {
  return Object.fromEntries(
    ['', 'X', 'Y', 'Top', 'Bottom', 'Left', 'Right'].map((side) => [name + side, int(2)]),
  )
}

const color = oneOf('red', 'gray', 'grey', 'cyanBright', '#abc', '#00ff7f')
const status = oneOf('info', 'success', 'warning', 'error')

/** A maker of properties for each type; every property of the type is in it. */
export const makers: Record<ComponentType, Make> = {
  Box: some({
    flexDirection: oneOf('row', 'row-reverse', 'column', 'column-reverse'),
    alignItems: oneOf('flex-start', 'center', 'flex-end', 'stretch'),
    justifyContent: oneOf(
      'flex-start',
      'center',
      'flex-end',
      'space-between',
      'space-around',
      'space-evenly',
    ),
    flexGrow: int(3),
    flexShrink: int(2),
    flexWrap: oneOf('nowrap', 'wrap', 'wrap-reverse'),
    width: size,
    height: size,
    minWidth: size,
    minHeight: int(5),
    ...sides('padding'),
    ...sides('margin'),
    gap: int(3),
    columnGap: int(3),
    rowGap: int(3),
    borderStyle: oneOf('single', 'double', 'round', 'bold', 'singleDouble', 'doubleSingle', 'classic'),
    borderColor: color,
    borderTop: flag,
    borderBottom: flag,
    borderLeft: flag,
    borderRight: flag,
    borderDimColor: flag,
    display: oneOf('flex', 'flex', 'none'),
    overflow: oneOf('visible', 'hidden'),
    backgroundColor: color,
  }),
  Text: some(
    {
      text: say,
      color,
      backgroundColor: color,
      bold: flag,
      italic: flag,
      underline: flag,
      strikethrough: flag,
      dimColor: flag,
      inverse: flag,
      wrap: oneOf('wrap', 'truncate', 'truncate-end', 'truncate-middle', 'truncate-start'),
    },
    ['text'],
  ),
  Heading: some({ text: say, level: oneOf('h1', 'h2', 'h3', 'h4'), color }, ['text']),
  Divider: some({ character: say, color, dimColor: flag, title: say, width: int(90, 1) }),
  Newline: some({ count: int(4) }),
  Spacer: some({}),
  BarChart: some(
    {
      data: list(some({ label: say, value: number, color }, ['label', 'value'])),
      width: int(60, 1),
      showValues: flag,
      showPercentage: flag,
    },
    ['data'],
  ),
  Sparkline: some(
    { data: list(number, 30), width: int(60, 1), color, label: say, min: number, max: number },
    ['data'],
  ),
  Table: makeTable,
  List: some({ items: list(say), ordered: flag, bulletChar: say, spacing: int(2) }, ['items']),
  Card: some({ title: say, backgroundColor: color, padding: int(4) }),
  StatusLine: some({ text: say, status, icon: say }, ['text']),
  KeyValue: some(
    {
      label: say,
      value: (rng, text) => pick<Make>(rng, [say, number, list(say)])(rng, text),
      labelColor: color,
      separator: say,
    },
    ['label', 'value'],
  ),
  Badge: some({ label: say, variant: oneOf('default', 'info', 'success', 'warning', 'error') }, ['label']),
  ProgressBar: some({ progress: (rng) => rng(), width: int(60, 1), color, label: say }, ['progress']),
  Metric: some(
    { label: say, value: say, detail: say, trend: oneOf('up', 'down', 'neutral'), good: oneOf('up', 'down') },
    ['label', 'value'],
  ),
  Callout: some({ content: say, type: oneOf('info', 'tip', 'warning', 'important'), title: say }, [
    'content',
  ]),
  Timeline: some(
    {
      items: list(
        some({ title: say, description: say, date: say, status: oneOf('completed', 'current', 'upcoming') }, [
          'title',
        ]),
      ),
    },
    ['items'],
  ),
}

function makeTable(rng: Rng, text: Text): unknown {
  const keys = Array.from({ length: 1 + below(rng, 5) }, (_, i) => `k${i}`)
  const columns = keys.map((key) => ({
    header: text(rng),
    key,
    ...(rng() < 0.3 ? { width: 1 + below(rng, 30) } : {}),
    ...(rng() < 0.5 ? { align: pick(rng, ['left', 'center', 'right', null]) } : {}),
  }))
  const row = () => Object.fromEntries(keys.flatMap((key) => (rng() < 0.9 ? [[key, text(rng)]] : [])))
  const rest = some({
    borderStyle: oneOf('single', 'double', 'round', 'bold', 'classic'),
    backgroundColor: color,
    headerColor: color,
  })
  return { columns, rows: Array.from({ length: below(rng, 6) }, row), ...(rest(rng, text) as object) }
}

/** A few words that the oracle can measure. */
export const wordy: Text = (rng) =>
  Array.from({ length: below(rng, 4) }, () => pick(rng, words)).join(rng() < 0.9 ? ' ' : '\n')

/** Returns a valid spec of up to `most` elements below a root of this type. */
export function validSpec(rng: Rng, root: ComponentType, text: Text = wordy, most = 12): Spec {
  const elements: Spec['elements'] = {}
  const open: string[] = []
  const count = 1 + below(rng, most)
  for (let i = 0; i < count && (i === 0 || open.length > 0); i++) {
    const type = i === 0 ? root : pick(rng, rng() < 0.4 ? (['Box', 'Card'] as const) : componentTypes)
    const id = `e${i}`
    elements[id] = { type, props: makers[type](rng, text) as Record<string, unknown>, children: [] }
    if (i > 0) elements[pick(rng, open)]?.children.push(id)
    if (containerTypes.has(type)) open.push(id)
  }
  return { root: 'e0', elements }
}

const oddities: readonly unknown[] = [
  null,
  true,
  -1,
  1e9,
  Number.POSITIVE_INFINITY,
  'junk',
  '',
  [],
  [1],
  {},
  { $state: '/x' },
  '\x1b[31m',
  [[['x']]],
]

/** Returns the spec with one to three wrong or odd parts. */
export function breakSpec(rng: Rng, spec: Spec): unknown {
  const ids = Object.keys(spec.elements)
  for (let n = 1 + below(rng, 3); n > 0; n--) {
    const element = spec.elements[pick(rng, ids)] as Element
    const key = pick(rng, [...Object.keys(element.props), 'text'])
    const odd = pick(rng, oddities)
    const change = pick<() => unknown>(rng, [
      () => Array.isArray(element.children) && element.children.push(pick(rng, [...ids, 'nowhere'])),
      () => Object.assign(element, { type: pick(rng, ['Tabel', 'text', '__proto__', 'Text', 'Box', '', 3]) }),
      () => Object.assign(element.props, { [key]: odd }),
      () => delete element.props[key],
      () => Object.assign(element.props, { [`${key}x`]: 1 }),
      () => Object.assign(element, { [pick(rng, ['on', 'watch', 'repeat', 'visible', 'other'])]: odd }),
      () => Object.assign(element, { children: odd }),
      () => Object.assign(spec, { root: odd }),
      () => Object.assign(spec.elements, { [pick(rng, ['constructor', '', 'x\ny', 'é'])]: element }),
      () => Object.assign(spec.elements, { extra: odd }),
    ])
    change()
  }
  return spec
}

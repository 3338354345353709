// The renderer as a whole: generated specs, hostile strings, limits, and forbidden output.
import { expect, test } from 'vitest'
import { type RenderOptions, render } from '../../../internal/render/render.ts'
import { type ComponentType, componentTypes } from '../../../internal/render/spec/props.ts'
import { rounds, shareRows } from '../../support/sample.ts'
import { codes, draw, lines, options, specOf } from './draw.ts'
import { oracle, paint } from './oracle.ts'
import { below, hostile, pick, type Rng, random } from './random.ts'
import { breakSpec, makers, validSpec, wordy } from './specs.ts'

const seed = Number(process.env['ANODE_SEED'] ?? 20260802)
console.log(`seed ${seed}`)

/** Everything that controls a terminal or reorders text. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\p{Cs}]/u
/** Characters of the renderer above ASCII, without those in the texts of the tests. */
const ours = /[─-╿█-▟░●◆○▲▼…–—•ℹ]/

const anyOptions = (rng: Rng): RenderOptions => ({
  // the pure function accepts any width, also widths that no terminal has
  width: 1 + below(rng, 200),
  color: 0,
  unicode: rng() < 0.7,
  ambiguous: 1,
  plain: rng() < 0.2,
  all: rng() < 0.2,
})

test('valid specs: drawn without error, no line too wide, no control byte, same bytes twice', () => {
  const rng = random(seed)
  for (let i = 0; i < rounds(150, 5_000); i++) {
    const spec = validSpec(rng, pick(rng, componentTypes))
    const before = JSON.stringify(spec)
    const look = anyOptions(rng)
    const found = render(spec, look)
    expect(found.errors, before).toEqual([])
    for (const line of found.lines) {
      if (oracle(line) > look.width) throw new Error(`${oracle(line)} > ${look.width}: ${line}\n${before}`)
      if (steering.test(line)) throw new Error(`control character in ${JSON.stringify(line)}\n${before}`)
      if (!look.unicode && ours.test(line)) throw new Error(`not ASCII: ${line}\n${before}`)
    }
    expect(JSON.stringify(spec)).toBe(before)
    if (i % 10 === 0) expect(render(JSON.parse(before), look)).toEqual(found)
  }
})

test('broken specs: always a result, never an internal error', () => {
  const rng = random(seed + 1)
  for (let i = 0; i < rounds(150, 5_000); i++) {
    const spec = breakSpec(rng, validSpec(rng, pick(rng, componentTypes)))
    const { ok, errors, warnings, lines } = render(spec, anyOptions(rng))
    const found = [...errors, ...warnings].map((issue) => issue.code)
    expect(found, JSON.stringify(spec)).not.toContain('internal')
    expect(ok).toBe(errors.length === 0)
    if (!ok) expect(lines).toEqual([])
  }
})

test('trees in a Card: both borders in their column on every line', () => {
  const rng = random(seed + 2)
  for (let i = 0; i < rounds(60, 1_500); i++) {
    const spec = validSpec(rng, 'Card')
    const width = 20 + below(rng, 181)
    const found = render(spec, { ...options, width, color: pick(rng, [0, 1, 2, 3]) })
    for (const line of found.lines) {
      if (!/^[╭│╰].*[╮│╯]$/u.test(line.replace(paint, '')) || oracle(line) !== width) {
        throw new Error(`torn at ${width}:\n${found.lines.join('\n')}\n${JSON.stringify(spec)}`)
      }
    }
  }
})

test('tables: every line ends in the same column', () => {
  const rng = random(seed + 3)
  for (let i = 0; i < rounds(50, 1_000); i++) {
    const props = makers.Table(rng, wordy) as object
    const width = 20 + below(rng, 60)
    const found = draw('Table', props, { width })
    const sizes = new Set(found.map(oracle))
    if (/^[┌╔╭┏+]/.test(found[0] as string)) expect(sizes.size, found.join('\n')).toBe(1)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(width)
  }
})

test('hostile texts in every text of every type: only colors of the renderer in the output', () => {
  const rng = random(seed + 4)
  for (let i = 0; i < rounds(300, 2_400); i++) {
    const type = componentTypes[i % componentTypes.length] as ComponentType
    const elements = { x: { type, props: makers[type](rng, (from) => hostile(from)), children: [] } }
    const color = pick(rng, [0, 1, 2, 3] as const)
    const look = { ...options, color, width: 20 + below(rng, 60), plain: rng() < 0.2 }
    const { errors, lines: found, warnings } = render(specOf(elements), look)
    expect(errors, JSON.stringify(elements)).toEqual([])
    for (const line of found) {
      expect(color === 0 ? line : line.replace(paint, ''), JSON.stringify(elements)).not.toMatch(steering)
    }
    for (const { message, path } of warnings) expect(message + path).not.toMatch(steering)
  }
})

test('hostile ids and names do not appear in messages', () => {
  const rng = random(seed + 5)
  for (let i = 0; i < 500; i++) {
    const [root, id, type, key, child] = Array.from({ length: 5 }, () => hostile(rng)) as [
      string,
      string,
      string,
      string,
      string,
    ]
    const spec = { root, elements: { [id]: { type, props: { [key]: key }, children: [child] } } }
    const { errors, warnings } = render(spec, options)
    expect(errors.length).toBeGreaterThan(0)
    for (const { message, path } of [...errors, ...warnings]) expect(message + path).not.toMatch(steering)
  }
})

test('color changes no cell: without its codes the output equals the output without color', () => {
  const rng = random(seed + 6)
  for (let i = 0; i < rounds(100, 500); i++) {
    const spec = validSpec(rng, 'Box')
    const bare = render(spec, options).lines
    const painted = render(spec, { ...options, color: 3 }).lines
    expect(painted.map((line) => line.replace(paint, '').trimEnd())).toEqual(bare)
  }
})

test('rejects 10,000 elements at once', () => {
  const elements = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [`e${i}`, { type: 'Text', props: {} }]),
  )
  const { errors } = render({ root: 'e0', elements }, options)
  expect(errors.map((issue) => issue.code)).toEqual(['too_many_elements'])
})

test('cuts many lines with a note, and draws all on request', () => {
  const tall = { x: { type: 'Text', props: { text: 'a\n'.repeat(24_999) } } }
  expect(lines(tall)).toHaveLength(20_000)
  expect(lines(tall).at(-1)).toBe('… 5,001 more lines')
  expect(codes(tall)).toEqual(['truncated_rows'])
  expect(lines(tall, { all: true })).toHaveLength(25_000)
  expect(lines(tall, { plain: true }).at(-1)).toBe('… 5,001 more lines')
})

test('draws nested boxes to the last level around many lines', () => {
  const elements: Record<string, unknown> = {}
  for (let i = 0; i < 63; i++) {
    elements[`b${i}`] = { type: 'Box', props: { borderStyle: 'single' }, children: [`b${i + 1}`] }
  }
  elements['b63'] = { type: 'Text', props: { text: '\n'.repeat(100_000) } }
  expect(lines(elements, { width: 200 })).toHaveLength(20_000)
})

test('prints no line and no error for a hidden element', () => {
  const spec = { root: 'a', elements: { a: { type: 'Text', props: { text: 'x' }, visible: false } } }
  expect(render(spec, options)).toEqual({ ok: true, lines: [], errors: [], warnings: [] })
})

test('rejects values that are not specs', () => {
  for (const value of [undefined, null, 1, 'x', [], () => 1]) {
    expect(render(value, options).errors.map((issue) => issue.code)).toEqual(['not_object'])
  }
})

const large: [string, object][] = [
  ['a status of many lines', { type: 'StatusLine', props: { text: '\n'.repeat(200_000) } }],
  ['a word of many clusters', { type: 'Text', props: { text: '漢'.repeat(80_000) } }],
  ['one item of many lines', { type: 'List', props: { items: ['word '.repeat(1_500_000)] } }],
  [
    'a bullet as wide as the line',
    { type: 'List', props: { items: ['x'], bulletChar: 'y'.repeat(200_000) } },
  ],
  ['many items', { type: 'List', props: { items: new Array(1_000_000).fill('') } }],
  ['many bad bars', { type: 'BarChart', props: { data: new Array(1_000_000).fill(0) } }],
  ['many points', { type: 'Sparkline', props: { data: new Array(1_000_000).fill(7) } }],
  [
    'many unknown properties',
    { type: 'Text', props: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1])) },
  ],
  [
    'many columns',
    {
      type: 'Table',
      props: { columns: new Array(5_000).fill({ header: 'h', key: 'k' }), rows: [{ k: 'v' }] },
    },
  ],
  [
    'many rows',
    {
      type: 'Table',
      props: { columns: [{ header: 'h', key: 'k' }], rows: new Array(500_000).fill({ k: 'v' }) },
    },
  ],
  [
    'a wide column of one cell',
    {
      type: 'Table',
      props: { columns: [{ header: 'h', key: 'k' }], rows: [{ k: 'e\u0301'.repeat(1_000_000) }] },
    },
  ],
  ['marks without end', { type: 'Heading', props: { text: `a${'\u0301'.repeat(200_000)}` } }],
]

test.each(large)('%s: a result, and no internal error', (name, element) => {
  for (const plain of shareRows([false, true], name.length, 2)) {
    const { errors, lines: found } = render({ root: 'x', elements: { x: element } }, { ...options, plain })
    expect(errors.filter((issue) => issue.code === 'internal')).toEqual([])
    expect(found.length).toBeLessThanOrEqual(20_000)
  }
})

// A valid example of every type with most of its properties, for the goldens and for the second opinion.
import type { ComponentType } from '../../../internal/render/spec/props.ts'

interface Element {
  type: ComponentType
  props: Record<string, unknown>
  children: string[]
}

interface Example {
  root: string
  elements: Record<string, Element>
}

const el = (type: ComponentType, props: Record<string, unknown> = {}, children: string[] = []): Element => ({
  type,
  props,
  children,
})

/** Returns the elements below a column, in their order. */
function column(...elements: Element[]): Example {
  const named = Object.fromEntries(elements.map((element, i) => [`e${i}`, element]))
  const root = el('Box', { flexDirection: 'column', gap: 1 }, Object.keys(named))
  return { root: 'main', elements: { main: root, ...named } }
}

const family = '👨\u200d👩\u200d👧'
const long = 'A sentence that is long enough to be wrapped at every width but the widest one.'

export const examples: Record<ComponentType, Example> = {
  Box: {
    root: 'main',
    elements: {
      main: el('Box', { flexDirection: 'column', borderStyle: 'double', paddingX: 1 }, [
        'row',
        'spread',
        'wrap',
        'grow',
        'side',
      ]),
      row: el('Box', { gap: 2 }, ['a', 'b']),
      a: el('Text', { text: 'left' }),
      b: el('Text', { text: `漢字 ${family}` }),
      spread: el('Box', { justifyContent: 'space-between', borderStyle: 'single' }, ['c', 'd']),
      c: el('Text', { text: 'start' }),
      d: el('Text', { text: 'end' }),
      wrap: el('Box', { flexWrap: 'wrap', columnGap: 1, marginTop: 1 }, ['f', 'g', 'h']),
      f: el('Text', { text: 'one two' }),
      g: el('Text', { text: 'three four' }),
      h: el('Text', { text: 'five six seven' }),
      grow: el('Box', { borderStyle: 'round', height: 4 }, ['i', 'j']),
      i: el('Box', { flexGrow: 2, borderStyle: 'bold' }, ['k']),
      k: el('Text', { text: 'two parts' }),
      j: el('Box', { flexGrow: 1, borderStyle: 'classic', alignItems: 'center', flexDirection: 'column' }, [
        'l',
      ]),
      l: el('Text', { text: 'one' }),
      side: el('Box', { width: '50%', borderStyle: 'singleDouble', borderTop: false, borderRight: false }, [
        'm',
      ]),
      m: el('Text', { text: 'half of it' }),
    },
  },
  Text: column(
    el('Text', { text: long }),
    el('Text', { text: long, wrap: 'truncate' }),
    el('Text', { text: long, wrap: 'truncate-middle' }),
    el('Text', { text: long, wrap: 'truncate-start' }),
    el('Text', {
      text: `漢字かな混じり文 한글 ${family} 🇩🇪 e\u0301 x\u0302\u0323`,
      bold: true,
      color: 'green',
    }),
    el('Text', { text: 'two\n  lines', italic: true }),
  ),
  Heading: column(
    el('Heading', { text: 'First level', level: 'h1' }),
    el('Heading', { text: long }),
    el('Heading', { text: '漢字', level: 'h3', color: 'cyan' }),
    el('Heading', { text: 'Fourth level', level: 'h4' }),
  ),
  Divider: column(
    el('Divider'),
    el('Divider', { title: 'middle' }),
    el('Divider', { character: '=', width: 12, color: 'gray' }),
    el('Divider', { character: '漢', width: 15, title: '字' }),
  ),
  Newline: column(
    el('Text', { text: 'above' }),
    el('Newline', { count: 2 }),
    el('Text', { text: 'below' }),
    el('Newline'),
  ),
  Spacer: {
    root: 'main',
    elements: {
      main: el('Box', { flexWrap: 'nowrap' }, ['a', 's', 'b']),
      a: el('Text', { text: 'left' }),
      s: el('Spacer'),
      b: el('Text', { text: 'right' }),
    },
  },
  BarChart: column(
    el('BarChart', {
      data: [
        { label: 'plain', value: 12 },
        { label: '漢字のラベル', value: 45.5, color: 'blue' },
        { label: family, value: 0.3 },
      ],
    }),
    el('BarChart', {
      data: [
        { label: 'loss', value: -3 },
        { label: 'gain', value: 2 },
        { label: 'none', value: 0 },
      ],
      width: 20,
      showPercentage: true,
    }),
    el('BarChart', { data: [] }),
  ),
  Sparkline: column(
    el('Sparkline', { data: [1, 5, 2, 9, 4], label: 'load' }),
    el('Sparkline', { data: Array.from({ length: 100 }, (_, i) => (i * 7) % 31), color: 'red' }),
    el('Sparkline', { data: [3, 3, 3], label: '漢字', min: 0, max: 10, width: 2 }),
    el('Sparkline', { data: [] }),
  ),
  Table: column(
    el('Table', {
      columns: [
        { header: 'Job', key: 'job' },
        { header: 'State', key: 'state', align: 'center' },
        { header: 'ms', key: 'ms', align: 'right' },
      ],
      rows: [
        { job: 'build', state: 'ok', ms: '812' },
        { job: '漢字 と かな', state: '失敗', ms: '95' },
        { job: `family ${family}`, state: '', ms: '1,234,567' },
        { job: long, state: 'e\u0301', ms: '0' },
      ],
      borderStyle: 'round',
      headerColor: 'cyan',
    }),
    el('Table', { columns: [{ header: 'empty', key: 'x', width: 12 }], rows: [], borderStyle: 'double' }),
  ),
  List: column(
    el('List', { items: ['one', '漢字', long] }),
    el('List', { items: ['first', 'second'], ordered: true, spacing: 1 }),
    el('List', { items: ['arrow'], bulletChar: '→' }),
    el('List', { items: [] }),
  ),
  Card: {
    root: 'main',
    elements: {
      main: el('Card', { title: 'Health of 漢字' }, ['a', 'b']),
      a: el('StatusLine', { text: 'API', status: 'success' }),
      b: el('Card', { padding: 0 }, ['c']),
      c: el('Text', { text: `${family} ${long}` }),
    },
  },
  StatusLine: column(
    el('StatusLine', { text: 'to know' }),
    el('StatusLine', { text: 'passed', status: 'success' }),
    el('StatusLine', { text: long, status: 'warning' }),
    el('StatusLine', { text: 'broken 漢字', status: 'error' }),
    el('StatusLine', { text: 'own mark', icon: '🚀' }),
  ),
  KeyValue: column(
    el('KeyValue', { label: 'host', value: 'example', labelColor: 'cyan' }),
    el('KeyValue', { label: 'ports', value: ['80', '443'], separator: ' =' }),
    el('KeyValue', { label: 'number', value: 12.5 }),
    el('KeyValue', { label: 'none', value: '' }),
    el('KeyValue', { label: 'a label of several words', value: long }),
    el('KeyValue', { label: '漢字', value: family }),
  ),
  Badge: column(
    el('Badge', { label: 'PLAIN' }),
    el('Badge', { label: 'DONE', variant: 'success' }),
    el('Badge', { label: 'CARE', variant: 'warning' }),
    el('Badge', { label: 'BAD', variant: 'error' }),
    el('Badge', { label: '漢字', variant: 'info' }),
    el('Badge', { label: 'a label that is rather long' }),
  ),
  ProgressBar: column(
    el('ProgressBar', { progress: 0 }),
    el('ProgressBar', { progress: 0.66, label: 'total' }),
    el('ProgressBar', { progress: 0.999, label: '漢字のラベル', width: 10, color: 'yellow' }),
    el('ProgressBar', { progress: 1, width: 60 }),
  ),
  Metric: column(
    el('Metric', { label: 'Latency', value: '12 ms', trend: 'down', detail: '3% since monday' }),
    el('Metric', { label: 'Stars', value: '1,234', trend: 'up' }),
    el('Metric', { label: '漢字', value: family, detail: long }),
    el('Metric', { label: 'Same', value: '7', trend: 'neutral' }),
  ),
  Callout: column(
    el('Callout', { content: long }),
    el('Callout', { content: '漢字\nsecond line', type: 'warning', title: 'Mind' }),
    el('Callout', { content: family, type: 'tip' }),
    el('Callout', { content: 'x', type: 'important' }),
  ),
  Timeline: column(
    el('Timeline', {
      items: [
        { title: 'Start', date: 'Jan 2024', status: 'completed', description: long },
        { title: '漢字', status: 'current', description: family },
        { title: 'Later', date: 'someday' },
      ],
    }),
  ),
}

// Box: every property of it.
import { expect, test } from 'vitest'
import { codes, lines } from '../draw.ts'

const text = (value: string) => ({ type: 'Text', props: { text: value } })

/** A Box with the given properties around a and b. */
const two = (props: object) => ({
  x: { type: 'Box', props, children: ['a', 'b'] },
  a: text('aa'),
  b: text('b'),
})

const cases: [object, string[]][] = [
  [{}, ['aab']],
  [{ gap: 1 }, ['aa b']],
  [{ columnGap: 2, gap: 1 }, ['aa  b']],
  [{ flexDirection: 'row-reverse' }, ['                 baa']],
  [{ flexDirection: 'row-reverse', justifyContent: 'flex-end' }, ['baa']],
  [{ flexDirection: 'column' }, ['aa', 'b']],
  [{ flexDirection: 'column-reverse' }, ['b', 'aa']],
  [{ flexDirection: 'column', gap: 1 }, ['aa', '', 'b']],
  [{ flexDirection: 'column', rowGap: 2, gap: 1 }, ['aa', '', '', 'b']],
  [{ flexDirection: 'column', alignItems: 'center' }, ['         aa', '         b']],
  [{ flexDirection: 'column', alignItems: 'flex-end' }, ['                  aa', '                   b']],
  [{ justifyContent: 'center' }, ['         aab']],
  [{ justifyContent: 'flex-end' }, ['                 aab']],
  [{ justifyContent: 'space-between' }, ['aa                 b']],
  [{ justifyContent: 'space-around' }, ['    aa         b']],
  [{ justifyContent: 'space-evenly' }, ['      aa     b']],
  [{ padding: 1 }, ['', ' aab', '']],
  [{ paddingX: 2, paddingLeft: 3 }, ['   aab']],
  [{ paddingY: 1, paddingBottom: 0 }, ['', 'aab']],
  [{ paddingTop: 1, paddingRight: 17 }, ['', 'aab']],
  [{ margin: 1 }, ['', ' aab', '']],
  [{ marginX: 2, marginRight: 0 }, ['  aab']],
  [{ marginY: 1, marginTop: 0 }, ['aab', '']],
  [{ marginLeft: 4, marginBottom: 1 }, ['    aab', '']],
  [{ height: 3 }, ['aab', '', '']],
  [{ minHeight: 2 }, ['aab', '']],
  [{ height: 3, alignItems: 'center' }, ['', 'aab', '']],
  [{ height: 3, alignItems: 'flex-end' }, ['', '', 'aab']],
  [{ height: 3, flexDirection: 'column', justifyContent: 'flex-end' }, ['', 'aa', 'b']],
  [{ height: 1, flexDirection: 'column', overflow: 'hidden' }, ['aa']],
  [{ height: 1, flexDirection: 'column', overflow: 'visible' }, ['aa', 'b']],
  [{ display: 'none' }, []],
  [{ display: 'flex' }, ['aab']],
  [{ width: 7, borderStyle: 'single' }, ['┌─────┐', '│aab  │', '└─────┘']],
  [{ width: 7, borderStyle: 'double' }, ['╔═════╗', '║aab  ║', '╚═════╝']],
  [{ width: 7, borderStyle: 'round' }, ['╭─────╮', '│aab  │', '╰─────╯']],
  [{ width: 7, borderStyle: 'bold' }, ['┏━━━━━┓', '┃aab  ┃', '┗━━━━━┛']],
  [{ width: 7, borderStyle: 'singleDouble' }, ['╓─────╖', '║aab  ║', '╙─────╜']],
  [{ width: 7, borderStyle: 'doubleSingle' }, ['╒═════╕', '│aab  │', '╘═════╛']],
  [{ width: 7, borderStyle: 'classic' }, ['+-----+', '|aab  |', '+-----+']],
  [{ width: 7, borderStyle: 'single', borderTop: false }, ['│aab  │', '└─────┘']],
  [{ width: 7, borderStyle: 'single', borderBottom: false }, ['┌─────┐', '│aab  │']],
  [{ width: 7, borderStyle: 'single', borderLeft: false }, ['──────┐', 'aab   │', '──────┘']],
  [{ width: 7, borderStyle: 'single', borderRight: false }, ['┌──────', '│aab', '└──────']],
  [{ width: '50%', borderStyle: 'single' }, ['┌────────┐', '│aab     │', '└────────┘']],
  [
    { minWidth: 5, flexDirection: 'column', width: 1, borderStyle: 'single' },
    ['┌─┐', '│a│', '│a│', '│b│', '└─┘'],
  ],
]

test.each(cases)('draws a box with %j', (props, expected) => {
  const found = lines(two(props), { width: 20 })
  if ('minWidth' in props) expect(found[0]?.length).toBeLessThanOrEqual(5)
  else expect(found).toEqual(expected)
})

const inner = (props: object) => ({
  x: { type: 'Box', props: {}, children: ['a', 'b'] },
  a: { type: 'Box', props, children: ['t'] },
  t: text('aa'),
  b: text('b'),
})

test.each([
  [{ flexGrow: 1 }, 'aa                 b'],
  [{ width: 5 }, 'aa   b'],
  [{ width: '25%' }, 'aa   b'],
  [{ minWidth: 4 }, 'aa  b'],
  [{ marginLeft: 1, marginRight: 2 }, ' aa  b'],
])('inside a row: %j', (props, line) => {
  expect(lines(inner(props), { width: 20 })).toEqual([line])
})

test('shrinks children by their factor', () => {
  const spec = (shrink: number) => ({
    x: { type: 'Box', props: { flexWrap: 'nowrap', width: 10 }, children: ['a', 'b'] },
    a: { type: 'Box', props: { width: 10, flexShrink: shrink, borderStyle: 'single' } },
    b: { type: 'Box', props: { width: 10, borderStyle: 'single' } },
    // a row at the root would become a column
  })
  const nested = (shrink: number) => ({ r: { type: 'Box', props: {}, children: ['x'] }, ...spec(shrink) })
  expect(lines(nested(1))[0]).toBe('┌───┐┌───┐')
  expect(lines(nested(0))[0]).toBe('┌────────┐')
  expect(codes(nested(0))).toEqual(['no_room'])
})

test('wraps rows', () => {
  const spec = (props: object) => ({
    x: { type: 'Box', props: { width: 5, ...props }, children: ['a', 'b', 'c'] },
    a: text('aa'),
    b: text('bb'),
    c: text('cc'),
  })
  expect(lines(spec({ flexWrap: 'wrap' }))).toEqual(['aabb', 'cc'])
  expect(lines(spec({ flexWrap: 'wrap', rowGap: 1, columnGap: 1 }))).toEqual(['aa bb', '', 'cc'])
  expect(lines(spec({ flexWrap: 'wrap-reverse' }))).toEqual(['cc', 'aabb'])
})

test('borders and backgrounds are painted', () => {
  const props = { width: 4, borderStyle: 'single', borderColor: 'red', borderDimColor: true }
  expect(lines(two(props), { color: 1, width: 20 })[0]).toBe('\x1b[31m\x1b[2m┌──┐\x1b[22m\x1b[39m')
  const filled = lines(two({ width: 4, backgroundColor: 'blue', paddingLeft: 1 }), { color: 1, width: 20 })
  expect(filled).toEqual(['\x1b[44m aab\x1b[49m'])
})

test('applies percentages to a known height', () => {
  const spec = {
    x: { type: 'Box', props: { height: 4 }, children: ['a'] },
    a: { type: 'Box', props: { height: '50%', width: 3, borderStyle: 'single' } },
  }
  expect(lines(spec)).toEqual(['┌─┐', '└─┘', '', ''])
})

test('children of a row are stretched to its height', () => {
  const spec = {
    x: { type: 'Box', props: {}, children: ['a', 'b'] },
    a: { type: 'Box', props: { borderStyle: 'single', width: 3 } },
    b: text('1\n2\n3'),
  }
  expect(lines(spec)).toEqual(['┌─┐1', '│ │2', '└─┘3'])
})

test('draws a box without cells', () => {
  const spec = {
    x: { type: 'Box', props: { width: 0 }, children: ['a'] },
    a: { type: 'Box', props: {}, children: [] },
  }
  expect(codes(spec)).toEqual(['no_room'])
  expect(lines(spec)).toEqual([])
})

test('a row at the root that does not fit becomes a column', () => {
  const long = {
    x: { type: 'Box', props: {}, children: ['a', 'b'] },
    a: text('a'.repeat(30)),
    b: text('b'.repeat(30)),
  }
  expect(lines(long)).toEqual(['a'.repeat(30), 'b'.repeat(30)])
  expect(codes(long)).toEqual(['wrapped'])
})

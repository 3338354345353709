// The writer of blocks: it separates kinds, keeps the order, and waits while another program uses the screen.
import { expect, test } from 'vitest'
import { openBlockWriter } from '../../../../internal/tui/terminal/block-writer.ts'
import { sink } from '../../../support/tui.ts'

test('separates kinds by one empty line, and clears the moving row first', () => {
  const out = sink(true)
  const writer = openBlockWriter(() => ({ erase: () => out.write('(erased)') }))
  writer.print(out, 'frame', ['head'])
  writer.print(out, 'call', [])
  writer.print(out, 'call', ['a', 'b'])
  writer.print(out, 'call', ['c'])
  writer.print(out, 'words', ['d'])
  expect(out.text()).toBe('(erased)head\n(erased)\na\nb\n(erased)c\n(erased)\nd\n')
})

test('writes blocks from a pause afterwards in their order', () => {
  const [out, err] = [sink(true), sink(true)]
  const writer = openBlockWriter(() => undefined)
  const go = writer.pause()
  expect(writer.isPaused()).toBe(true)
  const again = writer.pause()
  writer.print(err, 'call', ['a'])
  writer.print(out, 'words', ['b'])
  expect(out.text() + err.text()).toBe('')
  go()
  expect(err.text()).toBe('a\n')
  expect(out.text()).toBe('\nb\n')
  again()
  writer.print(out, 'words', ['c'])
  expect(out.text()).toBe('\nb\nc\n')
})

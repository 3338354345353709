// Facts about a terminal, from its environment alone.
import { expect, it } from 'vitest'
import { describeTerminal } from '../../../../internal/tui/terminal/terminal-facts.ts'

const factsOf = (env: Record<string, string>, output = { isTTY: true, columns: 100, rows: 30 }) =>
  Object.fromEntries(describeTerminal({ env, output }).map(({ what, value }) => [what, value]))

it('returns size, colors, characters and the behavior after a resize', () => {
  const known = factsOf({ TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', TMUX: '/tmp/x', SSH_CONNECTION: 'a b' })
  expect(known).toMatchObject({ size: '100x30', colors: '256', within: 'tmux, ssh' })
  expect(known.characters).toMatch(/^Unicode/)
  expect(known['another size']).toMatch(/breaks rows/)
  const bare = factsOf({ TERM: 'linux', NO_COLOR: '1' }, { isTTY: true, columns: 0, rows: 0 })
  expect(bare).toMatchObject({ size: 'unknown: taken as 80x24', colors: 'none', within: 'nothing else' })
  expect(bare['another size']).toMatch(/ui\.reflow: cut/)
})

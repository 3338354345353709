// Facts about the terminal that help to find the cause of a problem.
import { terminalOptions } from '../../render/terminal.ts'
import { findReflowKind } from './live-reflow.ts'

interface TerminalFact {
  what: string
  value: string
}

interface TerminalSource {
  env: Readonly<Record<string, string | undefined>>
  output: { isTTY?: boolean; columns?: number; rows?: number }
}

const colors = { 0: 'none', 1: '16', 2: '256', 3: '16 million' } as const

const reflows = {
  text: 'breaks rows that are too wide (ui.reflow: text)',
  lines: 'breaks rows, and moves the cursor with them (ui.reflow: lines)',
  cut: 'does not show the ends of rows that are too wide (ui.reflow: cut)',
}

export function describeTerminal({ env, output }: TerminalSource): TerminalFact[] {
  const { color, unicode, ambiguous } = terminalOptions({ env, stream: output })
  const names = ['TERM', 'TERM_PROGRAM', 'COLORTERM', 'NO_COLOR', 'LANG', 'LC_ALL']
  const inside = [env.TMUX && 'tmux', env.STY && 'screen', env.SSH_CONNECTION && 'ssh'].filter(Boolean)
  const settings = names.flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : []))
  return [
    { what: 'terminal', value: settings.join(' ') || 'says nothing of itself' },
    { what: 'size', value: output.columns ? `${output.columns}x${output.rows}` : 'unknown: taken as 80x24' },
    { what: 'within', value: inside.join(', ') || 'nothing else' },
    { what: 'colors', value: colors[color] },
    { what: 'characters', value: `${unicode ? 'Unicode' : 'ASCII'}, ambiguous ones ${ambiguous} wide` },
    { what: 'another size', value: reflows[findReflowKind(env)] },
  ]
}

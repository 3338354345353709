// Formatting of measured values and changes in few characters.

import type { BoardRun } from '../../session/board/research-board.ts'

const formatSigned = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(1)}`

/** Formats a change: `-6.2 %`, or `-6.2` for a change in the metric's unit. */
export const formatChange = ({ pct, unit }: { pct: number } & Pick<BoardRun, 'unit'>) =>
  `${formatSigned(pct)}${unit === 'absolute' ? '' : ' %'}`

/** Formats a change with its interval. Returns an empty text if one of them is unknown. */
export function formatEffect({ pct, ci, unit }: Pick<BoardRun, 'pct' | 'ci' | 'unit'>): string {
  return pct === null || ci === null
    ? ''
    : `${formatChange({ pct, unit })} [${formatSigned(ci[0])}, ${formatSigned(ci[1])}]`
}

export const formatValue = (value: number): string => Number(value.toPrecision(5)).toString()

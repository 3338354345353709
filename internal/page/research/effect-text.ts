// Formatting of measured values and changes in few characters.

const formatSigned = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(1)}`

/** Formats a change in percent with its interval. Returns an empty text if one of them is unknown. */
export function formatEffect(pct: number | null, ci: readonly [number, number] | null): string {
  return pct === null || ci === null
    ? ''
    : `${formatSigned(pct)} % [${formatSigned(ci[0])}, ${formatSigned(ci[1])}]`
}

export const formatValue = (value: number): string => Number(value.toPrecision(5)).toString()

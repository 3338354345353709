// Large numbers in few characters: `1.2k`, `3.4M`.

export function shortCount(n: number): string {
  if (n < 1000) return String(n)
  if (n < 99_950) return `${(n / 1000).toFixed(1)}k`
  return n < 999_500 ? `${Math.round(n / 1000)}k` : `${(n / 1_000_000).toFixed(1)}M`
}

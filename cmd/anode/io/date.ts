// Date and time in a format for users.

/**
 * Returns the moment `ms`, in milliseconds since 1970, as date and time to the minute in local
 * time: `2026-10-25 02:15`.
 */
export function formatMinute(ms: number): string {
  const date = new Date(ms)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

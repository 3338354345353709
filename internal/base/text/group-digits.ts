// Large numbers for users.

/**
 * Returns a whole number with commas, such as `1,204`. Written by hand, because the first use of
 * toLocaleString costs 20 ms and 7 MiB.
 */
export const groupDigits = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

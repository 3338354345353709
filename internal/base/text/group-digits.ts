// Large numbers as people read them.

/** `1,204`; by hand, because the first use of toLocaleString costs 20 ms and 7 MiB. Whole numbers only. */
export const groupDigits = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')
